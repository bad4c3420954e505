# tests/ROOM/test_*.c: one program each, linked with the static library and with the internals in reach.
# tests/ROOM/test_*.sh: scripts that are given the built files through TOI_BIN, TOI_VERIFY_BIN and TOI_BUILD_DIR.
# A test that skips all it has exits with 77.

file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c)
if(NOT toi_with_simulator)
  list(FILTER test_sources EXCLUDE REGEX "/tests/simulator/")
endif()
file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
add_library(toi_test_support STATIC ${support_sources})
target_include_directories(toi_test_support PUBLIC tests include)
target_compile_definitions(toi_test_support PUBLIC TOI_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                   TOI_BINARY_DIR="${PROJECT_BINARY_DIR}")
target_link_libraries(toi_test_support PUBLIC toi_dependency_cmocka)

# With one shared library, a change of one source is one object and one link, whatever the number of tests.
set(tested_library toi_static)
if(TOI_TESTS_SHARED)
  set_target_properties(toi_objects PROPERTIES C_VISIBILITY_PRESET default)
  add_library(toi_internals SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:toi_objects>)
  target_include_directories(toi_internals PUBLIC include)
  target_link_libraries(toi_internals PUBLIC ${toi_dependencies})
  set(tested_library toi_internals)
endif()

# The library is tested as it is shipped. The tests themselves are compiled faster, at an optimisation that does not see
# which variables are set.
set(test_options $<$<CONFIG:Release,RelWithDebInfo>:-O1> $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE ${test_options})
  target_include_directories(${name} PRIVATE src)
  if(TOI_TESTS_SHARED)
    # A test's own function comes before the library's, as it does in a static library.
    set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET default)
  endif()
  target_link_libraries(${name} PRIVATE toi_test_support toi_planted toi_scenes toi_verifier ${tested_library}
                                        toi_dependency_MPFR toi_dependency_jansson)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()

# The simulator's tests know its parts, and run it as a program.
if(toi_with_simulator)
  file(GLOB simulator_tests CONFIGURE_DEPENDS tests/simulator/test_*.c)
  foreach(source ${simulator_tests})
    get_filename_component(name ${source} NAME_WE)
    target_link_libraries(${name} PRIVATE toi_simulator ${tested_library})
    add_dependencies(${name} simulator_main simulator_picture)
    if(TARGET toi_cli)
      add_dependencies(${name} toi_cli)
    endif()
  endforeach()
endif()

# tests/host: every exported function inside other processes. The list of functions comes from the library itself.
file(GLOB host_sources CONFIGURE_DEPENDS tests/host/*.c)
list(FILTER host_sources EXCLUDE REGEX "/(test_|plugin_|refuse)[^/]*$")
add_custom_command(
  OUTPUT exported_functions.txt
  COMMAND sh -c "${CMAKE_NM} -D --defined-only '$<TARGET_FILE:toi>' | sed -n 's/.* [TW] //p' >exported_functions.txt"
  DEPENDS toi VERBATIM)
add_custom_target(exported_functions DEPENDS exported_functions.txt)
add_library(plugin_state MODULE tests/host/plugin_state.c)
set_target_properties(plugin_state PROPERTIES PREFIX "" OUTPUT_NAME host_state)
target_include_directories(plugin_state PRIVATE include)
target_link_libraries(plugin_state PRIVATE m)
add_library(toi_test_host STATIC ${host_sources})
target_compile_definitions(toi_test_host PRIVATE TOI_EXPORTED_FUNCTIONS="${PROJECT_BINARY_DIR}/exported_functions.txt"
                                                 TOI_STATE_PLUGIN="$<TARGET_FILE:plugin_state>")
target_link_libraries(toi_test_host PUBLIC toi_test_support)
add_dependencies(toi_test_host exported_functions plugin_state)
foreach(name test_host_float test_host_malloc test_host_threads)
  target_link_libraries(${name} PRIVATE toi_test_host toi_static)
endforeach()
# Memory refused for the whole process: the C library's functions are replaced; a sanitizer has replaced them already,
# so there only the library's own calls are.
target_sources(test_host_malloc PRIVATE tests/host/refuse.c)
if(TOI_SANITIZE)
  foreach(function malloc calloc realloc aligned_alloc posix_memalign)
    target_link_options(test_host_malloc PRIVATE -Wl,--wrap=${function})
  endforeach()
endif()

# The test of the command runs it, with plug-ins that are refused or fail among others.
if(TARGET toi_cli AND TARGET toi_verify AND TARGET plugin_sampling)
  add_dependencies(test_command toi_cli toi_verify plugin_sampling)
  foreach(fault fine other_version no_entry taken_name no_name no_state bad_verdict gives_up)
    string(TOUPPER ${fault} macro)
    add_library(plugin_${fault} MODULE tests/cli/plugin_faulty.c)
    set_target_properties(plugin_${fault} PROPERTIES PREFIX "" OUTPUT_NAME faulty_${fault})
    target_include_directories(plugin_${fault} PRIVATE include)
    target_compile_definitions(plugin_${fault} PRIVATE FAULT_${macro})
    add_dependencies(test_command plugin_${fault})
  endforeach()
  add_dependencies(test_bench toi_cli plugin_fine)
  add_dependencies(test_step_command toi_cli)
  add_dependencies(test_sequence toi_cli)
  add_dependencies(test_surface_command toi_cli)
  add_dependencies(test_contact_command toi_cli)
  add_dependencies(test_contact_patches_command toi_cli)
  add_dependencies(test_outputs toi_cli)
  add_dependencies(test_hostile toi_cli)
  # What refuses memory by taking the place of malloc does not go together with a sanitizer, which does so too.
  add_library(refuse MODULE tests/cli/refuse.c)
  set_target_properties(refuse PROPERTIES PREFIX "")
  add_dependencies(test_refused toi_cli refuse)
  if(TOI_SANITIZE)
    set_tests_properties(test_refused PROPERTIES DISABLED ON)
  endif()
else()
  set_tests_properties(test_command test_bench test_step_command test_sequence test_surface_command test_contact_command
                       test_contact_patches_command test_outputs test_hostile test_refused PROPERTIES DISABLED ON)
endif()

set(test_environment TOI_BUILD_DIR=${PROJECT_BINARY_DIR} TOI_BUILD_TYPE=$<CONFIG> CC=${CMAKE_C_COMPILER}
                     "CMAKE_GENERATOR=${CMAKE_GENERATOR}")
if(TARGET toi_cli)
  list(APPEND test_environment TOI_BIN=$<TARGET_FILE:toi_cli>)
endif()
if(TARGET toi_verify)
  list(APPEND test_environment TOI_VERIFY_BIN=$<TARGET_FILE:toi_verify>)
endif()
if(TARGET refuse AND NOT TOI_SANITIZE)
  list(APPEND test_environment TOI_REFUSE=$<TARGET_FILE:refuse>)
endif()
file(GLOB test_scripts CONFIGURE_DEPENDS tests/*/test_*.sh)
foreach(script ${test_scripts})
  get_filename_component(name ${script} NAME_WE)
  # What looks at the built and installed files says nothing more under a sanitizer.
  if(TOI_SANITIZE AND script MATCHES "/tests/package/")
    continue()
  endif()
  add_test(NAME ${name} COMMAND bash ${script} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 ENVIRONMENT "${test_environment}")
endforeach()
