# SPDX-License-Identifier: BSD-3-Clause
# Interposes StarPU's functions and reads its tasks: built for one version of the library.
PKG_CHECK_MODULES([STARPU], [starpu-1.3], [measure_have_starpu=yes], [measure_have_starpu=no])
measure_starpu_summary="no (no StarPU 1.3)"
measure_starpu_soname=libstarpu-1.3.so
AS_IF([test $measure_have_starpu = yes], [
	measure_saved_CFLAGS=$CFLAGS
	measure_saved_LIBS=$LIBS
	CFLAGS="$CFLAGS $STARPU_CFLAGS"
	LIBS="$LIBS $STARPU_LIBS"
	AC_MSG_CHECKING([which libstarpu programs are linked to])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <starpu.h>]], [[return starpu_is_initialized();]])],
		[measure_starpu_soname=`${READELF-readelf} -d conftest$EXEEXT |
			sed -n 's/.*NEEDED.*\(libstarpu-1.3.so.@<:@0-9@:>@*\).*/\1/p'`
		measure_starpu_summary=$measure_starpu_soname],
		[measure_have_starpu=no
		measure_starpu_summary="no (StarPU's headers cannot be used)"])
	AC_MSG_RESULT([$measure_starpu_summary])
	LIBS="$LIBS -lOpenCL"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <starpu_opencl.h>]],
			[[return starpu_opencl_worker_get_count() != clFinish(0);]])],
		[measure_have_starpu_opencl=yes])
	CFLAGS=$measure_saved_CFLAGS
	LIBS=$measure_saved_LIBS])
AM_CONDITIONAL([HAVE_STARPU_OPENCL], [test "$measure_have_starpu_opencl" = yes])
# not as what is to be checked for warnings
STARPU_CFLAGS=`echo "$STARPU_CFLAGS" | sed 's/-I\//-isystem \//g'`
AC_DEFINE_UNQUOTED([MEASURE_STARPU_SONAME], ["$measure_starpu_soname"],
	[the library that the adapter for StarPU is built for])
AM_CONDITIONAL([HAVE_STARPU], [test $measure_have_starpu = yes])
PKG_CHECK_MODULES([STARPUMPI], [starpumpi-1.3], [measure_have_starpumpi=yes], [measure_have_starpumpi=no])
AM_CONDITIONAL([HAVE_STARPUMPI], [test $measure_have_starpu$measure_have_starpumpi = yesyes])
