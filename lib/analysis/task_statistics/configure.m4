# SPDX-License-Identifier: BSD-3-Clause
# The area bound of task programs with several classes of workers is a linear program, solved by lp_solve (LGPL).
# Debian has the shared library in a directory of its own.
measure_lpsolve_summary="no (no lp_solve: no area bound where more than one class of workers can execute a type)"
LPSOLVE_LIBS=
AC_CHECK_HEADER([lpsolve/lp_lib.h], [
	measure_saved_LIBS=$LIBS
	for measure_lpsolve in "-llpsolve55" "-L/usr/lib/lp_solve -Wl,-rpath,/usr/lib/lp_solve -llpsolve55" \
		"-llpsolve55 -lcolamd -lm -ldl"; do
		LIBS="$measure_lpsolve $measure_saved_LIBS"
		AS_IF([test -z "$LPSOLVE_LIBS"], [
			AC_MSG_CHECKING([for make_lp with $measure_lpsolve])
			AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <lpsolve/lp_lib.h>]], [[return make_lp(0, 1) == 0;]])],
				[AC_MSG_RESULT([yes]); LPSOLVE_LIBS=$measure_lpsolve; measure_lpsolve_summary=yes],
				[AC_MSG_RESULT([no])])
		])
	done
	LIBS=$measure_saved_LIBS
])
AC_SUBST([LPSOLVE_LIBS])
AM_CONDITIONAL([HAVE_LPSOLVE], [test "$measure_lpsolve_summary" = yes])
