# The room src/cluster: a library of its own, libtoi-cluster, where MPI is found. Gives toi_with_mpi. Nothing else links
# MPI.
set(TOI_WITH_MPI ${toi_auto} CACHE STRING "Build libtoi-cluster, which needs MPI: ON, OFF, or AUTO, where MPI is found")
set_property(CACHE TOI_WITH_MPI PROPERTY STRINGS AUTO ON OFF)
set(toi_with_mpi OFF)
if(TOI_WITH_MPI AND NOT CMAKE_DISABLE_FIND_PACKAGE_MPI)
  # OpenMPI's launcher is asked for by name where several are installed; -DMPI_C_COMPILER names another one.
  find_package(MPI 3.0 QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(toi_with_mpi ON)
  elseif(TOI_WITH_MPI STREQUAL "AUTO")
    message(STATUS "libtoi: libtoi-cluster is left out; not found: MPI (on Debian: apt-get install libopenmpi-dev openmpi-bin)")
  else()
    message(FATAL_ERROR "libtoi: not found: MPI (on Debian: apt-get install libopenmpi-dev openmpi-bin)")
  endif()
endif()

if(toi_with_mpi)
  file(GLOB cluster_sources CONFIGURE_DEPENDS src/cluster/*.c)
  add_library(toi_cluster_objects OBJECT ${cluster_sources})
  target_include_directories(toi_cluster_objects PRIVATE include src)
  target_include_directories(toi_cluster_objects SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
  add_library(toi_cluster SHARED $<TARGET_OBJECTS:toi_cluster_objects>)
  set_target_properties(toi_cluster PROPERTIES OUTPUT_NAME toi-cluster VERSION ${PROJECT_VERSION}
                                               SOVERSION ${toi_soversion})
  target_link_libraries(toi_cluster PUBLIC toi PRIVATE ${MPI_C_LIBRARIES} m)
  add_library(toi::toi_cluster ALIAS toi_cluster)
endif()
