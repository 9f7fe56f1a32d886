# SPDX-License-Identifier: BSD-3-Clause
#
# Finds measure.h. A program may have a copy of this file in its CMAKE_MODULE_PATH, so that it builds where
# Measure is not installed:
#
#	find_package(Measure)
#	if(Measure_FOUND)
#	  target_link_libraries(app PRIVATE Measure::Measure)
#	endif()
#
# Measure::Measure	where the header is; nothing is linked
# Measure::Fortran	besides, the two files that a program in Fortran compiles with it
# Measure_ROOT		(to be set) where Measure is installed
find_path(Measure_INCLUDE_DIR measure.h)
find_path(Measure_SOURCE_DIR measure.f90 PATH_SUFFIXES share/measure)
mark_as_advanced(Measure_INCLUDE_DIR Measure_SOURCE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Measure REQUIRED_VARS Measure_INCLUDE_DIR)

if(Measure_FOUND AND NOT TARGET Measure::Measure)
  add_library(Measure::Measure INTERFACE IMPORTED)
  set_target_properties(Measure::Measure PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Measure_INCLUDE_DIR}")
endif()
if(Measure_FOUND AND Measure_SOURCE_DIR AND NOT TARGET Measure::Fortran)
  add_library(Measure::Fortran INTERFACE IMPORTED)
  set_target_properties(Measure::Fortran PROPERTIES
    INTERFACE_SOURCES "${Measure_SOURCE_DIR}/measure.f90;${Measure_SOURCE_DIR}/measure_fortran.c"
    INTERFACE_LINK_LIBRARIES Measure::Measure)
endif()
