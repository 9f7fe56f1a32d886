# SPDX-License-Identifier: BSD-3-Clause
#
# MEASURE_CHECK([ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
#
# Searches for measure.h in --with-measure=DIR, by pkg-config, or in the search path of the compiler. Defines
# HAVE_MEASURE_H, and substitutes MEASURE_CPPFLAGS, MEASURE_FORTRAN_MODULE and MEASURE_FORTRAN_C (files to compile
# into a Fortran program; empty if they are not found). Nothing is linked. If measure.h is not found, this is an error
# only if --with-measure was given.
AC_DEFUN([MEASURE_CHECK], [
AC_ARG_WITH([measure],
	[AS_HELP_STRING([--with-measure=DIR], [annotate for Measure, installed in DIR (default: search)])],
	[], [with_measure=check])
MEASURE_CPPFLAGS= MEASURE_FORTRAN_MODULE= MEASURE_FORTRAN_C= have_measure=no
measure_pkg_config=${PKG_CONFIG:-pkg-config}
AS_CASE([$with_measure],
	[no], [],
	[yes|check], [AS_IF([$measure_pkg_config --exists measure 2>/dev/null],
		[MEASURE_CPPFLAGS=`$measure_pkg_config --cflags measure`
		MEASURE_FORTRAN_MODULE=`$measure_pkg_config --variable=fortran_module measure`
		MEASURE_FORTRAN_C=`$measure_pkg_config --variable=fortran_c measure`])],
	[MEASURE_CPPFLAGS=-I$with_measure/include
	MEASURE_FORTRAN_MODULE=$with_measure/share/measure/measure.f90
	MEASURE_FORTRAN_C=$with_measure/share/measure/measure_fortran.c])
AS_IF([test "x$with_measure" != xno], [
	measure_saved_CPPFLAGS=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $MEASURE_CPPFLAGS"
	AC_MSG_CHECKING([for measure.h])
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <measure.h>]],
		[[MEASURE_REGION("conftest"); return measure_recording();]])],
		[have_measure=yes])
	AC_MSG_RESULT([$have_measure])
	CPPFLAGS=$measure_saved_CPPFLAGS])
AS_IF([test $have_measure = no && test "x$with_measure" != xno && test "x$with_measure" != xcheck],
	[AC_MSG_ERROR([--with-measure=$with_measure: no usable measure.h found])])
AC_SUBST([MEASURE_CPPFLAGS])
AC_SUBST([MEASURE_FORTRAN_MODULE])
AC_SUBST([MEASURE_FORTRAN_C])
AS_IF([test $have_measure = yes],
	[AC_DEFINE([HAVE_MEASURE_H], [1], [Define to 1 if there is measure.h.])
	$1],
	[$2])
])
