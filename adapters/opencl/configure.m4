# SPDX-License-Identifier: BSD-3-Clause
# Needs the headers of OpenCL 3.0; it is not linked with the library. Tests are.
measure_have_opencl=no
measure_opencl_summary="no (no CL/cl.h of OpenCL 3.0)"
AC_MSG_CHECKING([for the headers of OpenCL])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>]], [[return CL_QUEUE_PROPERTIES_ARRAY == 0;]])],
	[measure_have_opencl=yes
	measure_opencl_summary=yes])
AC_MSG_RESULT([$measure_have_opencl])
AM_CONDITIONAL([HAVE_OPENCL], [test $measure_have_opencl = yes])
AC_CHECK_LIB([OpenCL], [clFinish], [measure_have_libopencl=$measure_have_opencl], [measure_have_libopencl=no])
AM_CONDITIONAL([HAVE_LIBOPENCL], [test $measure_have_libopencl = yes])
