# SPDX-License-Identifier: BSD-3-Clause
# Interposes libgomp; only the tests need a compiler that makes calls of it (clang calls libomp).
AC_MSG_CHECKING([whether $CC -fopenmp makes calls of libgomp])
measure_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -fopenmp"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[void work(void); void work(void) {}]],
		[[
#pragma omp parallel
work();
		]])],
	[AS_IF([grep GOMP_parallel conftest$EXEEXT >/dev/null],
		[AC_MSG_RESULT([yes]); measure_gomp_summary=yes],
		[AC_MSG_RESULT([no]); measure_gomp_summary="yes (not tested: $CC calls another library)"])],
	[AC_MSG_RESULT([no]); measure_gomp_summary="yes (not tested: no libgomp)"])
CFLAGS=$measure_saved_CFLAGS
AM_CONDITIONAL([HAVE_GOMP], [test "$measure_gomp_summary" = yes])
