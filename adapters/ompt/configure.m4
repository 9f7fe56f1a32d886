# SPDX-License-Identifier: BSD-3-Clause
# Needs omp-tools.h, which LLVM keeps among the headers of clang itself; behind the others, so that
# nothing else is taken from there. (Yet the <stdatomic.h> of one clang goes on with that of another one, and then declares
# nothing.) Only the tests need clang and its OpenMP run-time library.
AC_PATH_PROGS([CLANG], [clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14])
AC_ARG_VAR([CLANG], [clang, for the tests of OpenMP on LLVM's run-time library])
AC_MSG_CHECKING([for omp-tools.h])
measure_ompt_summary="no (omp-tools.h not found)"
measure_clang_include=`test -n "$CLANG" && $CLANG -print-resource-dir`/include
measure_saved_CPPFLAGS=$CPPFLAGS
for measure_flag in "" "-idirafter $measure_clang_include"; do
	CPPFLAGS="$measure_saved_CPPFLAGS $measure_flag"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <omp-tools.h>
			#include <stdatomic.h>]],
			[[ompt_callback_masked_t masked = 0; atomic_uint nr = 0; (void)masked; (void)nr;]])],
		[OMPT_CFLAGS=$measure_flag; measure_ompt_summary=yes; break])
done
CPPFLAGS=$measure_saved_CPPFLAGS
AC_MSG_RESULT([$measure_ompt_summary${OMPT_CFLAGS:+, $OMPT_CFLAGS}])
AC_SUBST([OMPT_CFLAGS])
AM_CONDITIONAL([HAVE_OMPT], [test "$measure_ompt_summary" = yes])

AC_MSG_CHECKING([whether $CLANG -fopenmp makes calls of a library with OMPT])
AS_IF([test -n "$CLANG" &&
	printf '#include <omp.h>\nint main(void) { return omp_get_thread_num(); }\n' >conftest.c &&
	$CLANG -fopenmp -o conftest$EXEEXT conftest.c 2>/dev/null &&
	readelf -d conftest$EXEEXT | grep 'NEEDED.*libomp' >/dev/null],
	[AC_MSG_RESULT([yes]); measure_libomp=yes],
	[AC_MSG_RESULT([no]); measure_libomp=no
	AS_IF([test "$measure_ompt_summary" = yes],
		[measure_ompt_summary="yes (not tested: no clang with libomp)"])])
rm -f conftest*
AM_CONDITIONAL([HAVE_LIBOMP], [test $measure_libomp = yes])
