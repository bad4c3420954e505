# clang for WebAssembly with the C library of WASI, as Debian has them. The modules call nothing of WASI: what the library
# asks of the system is answered in native/.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(TOI_WASM_CLANG NAMES clang-19 clang REQUIRED)
set(CMAKE_C_COMPILER ${TOI_WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
find_program(CMAKE_AR NAMES llvm-ar-19 llvm-ar REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib-19 llvm-ranlib REQUIRED)
