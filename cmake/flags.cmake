# Flags for all of our own code, and for nobody else's: they end with this directory. The proofs rest on IEEE arithmetic:
# no contraction anywhere, and no fast-math (an error in src/base/internal.h).

add_compile_options(-ffp-contract=off)
# There ISO C computes floats as doubles unless told otherwise; "fast" is each type in its own precision.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "s390")
  add_compile_options(-fexcess-precision=fast)
endif()
add_compile_definitions(_POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
# The switches in the code: src/number/limbs.h and src/io/source.c.
if(NOT TOI_WITH_GMP)
  add_compile_definitions(TOI_WITHOUT_GMP)
endif()
if(NOT TOI_WITH_ZLIB)
  add_compile_definitions(TOI_WITHOUT_ZLIB)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wformat -Werror=format-security
                    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(WIN32)
  # printf as C17 has it. Windows does not align the stack to the 32 bytes of an AVX register: the assembler then moves
  # such registers as unaligned ones. MinGW's isfinite() and its like offer a double as a float, too.
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 TOI_BUILDS_LIBRARY)
  add_compile_options(-Wa,-muse-unaligned-vector-move -Wno-float-conversion)
endif()
# A loop that clang does not unroll where it is asked to is slower, and no fault.
add_compile_options($<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
if(TOI_WERROR)
  add_compile_options(-Werror)
endif()

# What is shipped is hardened as Debian's packages are: a stack or a buffer that is overrun ends the process, and what
# the loader has filled in is read-only. Windows has other means. Sanitizers find the same faults and more, and do not get on with these.
# Links as PIE what is compiled for it.
include(CheckPIESupported)
check_pie_supported()
if(TOI_SANITIZE)
  add_compile_options(-fsanitize=${TOI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TOI_SANITIZE})
elseif(NOT WIN32)
  include(CheckCCompilerFlag)
  check_c_compiler_flag(-fstack-clash-protection TOI_HAS_STACK_CLASH_PROTECTION)
  set(hardening -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  if(TOI_HAS_STACK_CLASH_PROTECTION)
    list(APPEND hardening -fstack-clash-protection)
  endif()
  add_compile_options("$<$<CONFIG:Release,RelWithDebInfo>:${hardening}>")
  add_link_options("$<$<CONFIG:Release,RelWithDebInfo>:-Wl,-z,relro,-z,now>")
endif()
