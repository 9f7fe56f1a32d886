# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(Measure) of an installed Measure: what FindMeasure.cmake beside it says, of this prefix.
get_filename_component(measure_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
list(PREPEND CMAKE_PREFIX_PATH "${measure_prefix}")
include("${CMAKE_CURRENT_LIST_DIR}/FindMeasure.cmake")
list(POP_FRONT CMAKE_PREFIX_PATH)
unset(measure_prefix)
