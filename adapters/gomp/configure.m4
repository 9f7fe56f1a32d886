# SPDX-License-Identifier: BSD-3-Clause
# Interposes libgomp; only its presence on this machine is needed, for the tests.
AC_MSG_CHECKING([whether $CC -fopenmp links against libgomp])
measure_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -fopenmp"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[void GOMP_barrier(void);]], [[GOMP_barrier();]])],
	[AC_MSG_RESULT([yes]); measure_gomp_summary=yes],
	[AC_MSG_RESULT([no]); measure_gomp_summary="no (no libgomp)"])
CFLAGS=$measure_saved_CFLAGS
AM_CONDITIONAL([HAVE_GOMP], [test "$measure_gomp_summary" = yes])
