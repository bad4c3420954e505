# The room src/device: with the headers of OpenCL its kernels are put into the library as text; without them it is built
# as a table that says so. The library itself is loaded at run time.
option(TOI_WITH_OPENCL "Build devices by OpenCL, where its headers are found" ON)
if(TOI_WITH_OPENCL)
  find_path(OPENCL_INCLUDE_DIR CL/cl.h)
  mark_as_advanced(OPENCL_INCLUDE_DIR)
endif()
if(TOI_WITH_OPENCL AND OPENCL_INCLUDE_DIR)
  set(kernel_files src/device/prelude.cl src/narrow/contact_filter_bounds.h src/narrow/contact_filter_core_body.h
                   src/device/kernels.cl src/device/intervals.cl src/device/self_test.cl)
  set(bytes "")
  foreach(file ${kernel_files})
    file(READ ${PROJECT_SOURCE_DIR}/${file} text HEX)
    string(APPEND bytes "${text}0a")
  endforeach()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  # Letters beyond ASCII, in comments, are not for every compiler.
  string(REGEX REPLACE "0x[89a-f][0-9a-f]," "0x3f," bytes "${bytes}")
  # Written only where it changes, so that nothing is compiled for nothing.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/kernel_text.c @ONLY CONTENT
       "extern const char toi_kernel_text[];\nconst char toi_kernel_text[] = {${bytes}0};\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel_files})
  list(APPEND toi_sources ${PROJECT_BINARY_DIR}/kernel_text.c)
else()
  message(STATUS "libtoi: devices by OpenCL are left out; not found: CL/cl.h (on Debian: apt-get install opencl-headers)")
endif()
