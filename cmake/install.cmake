# Headers, both libraries, the CMake package, toi.pc, manual pages, completions and documents. Everything is found
# relative to itself, so that a prefix may be chosen at installation or moved. Manual pages and completions go with their
# commands.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS toi toi_static EXPORT toiTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/toi TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/toi)
install(EXPORT toiTargets NAMESPACE toi:: DESTINATION ${package_directory})
configure_package_config_file(cmake/toiConfig.cmake.in toiConfig.cmake INSTALL_DESTINATION ${package_directory}
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(toiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/toiConfig.cmake ${PROJECT_BINARY_DIR}/toiConfigVersion.cmake
        DESTINATION ${package_directory})

# From the directory of toi.pc back to the prefix.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
set(pc_integers)
if(TOI_WITH_GMP)
  set(pc_integers "-lgmp ")
endif()
set(pc_loader)
if(CMAKE_DL_LIBS)
  set(pc_loader "-l${CMAKE_DL_LIBS} ")
endif()
set(pc_gzip)
if(TOI_WITH_ZLIB)
  set(pc_gzip "-lz ")
endif()
configure_file(cmake/toi.pc.in toi.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/toi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# A library of its own with files of its own, so that who packs them can leave them apart.
if(toi_with_mpi)
  install(TARGETS toi_cluster EXPORT toiClusterTargets)
  install(EXPORT toiClusterTargets NAMESPACE toi:: DESTINATION ${package_directory})
  configure_file(cmake/toi-cluster.pc.in toi-cluster.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/toi-cluster.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET toi_cli)
  install(TARGETS toi_cli)
  install(FILES docs/man/toi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completion/toi.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME toi)
  install(FILES completion/_toi DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  # What pages are made of, if script/viewer has made it.
  install(FILES build/viewer/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/libtoi OPTIONAL)
endif()
if(TARGET toi_verify)
  install(TARGETS toi_verify)
  install(FILES docs/man/toi-verify.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

file(GLOB documents CONFIGURE_DEPENDS docs/*.md docs/*.svg docs/*.png docs/*.json)
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
file(GLOB examples CONFIGURE_DEPENDS examples/*.c examples/*.cpp)
install(FILES ${examples} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY examples/contact examples/surfaces examples/sweep DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
