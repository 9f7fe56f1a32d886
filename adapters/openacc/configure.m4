# SPDX-License-Identifier: BSD-3-Clause
# Needs acc_prof.h, which comes with GCC.
AC_CHECK_HEADER([acc_prof.h], [measure_have_openacc=yes], [measure_have_openacc=no], [AC_INCLUDES_DEFAULT])
AS_IF([test $measure_have_openacc = yes], [measure_openacc_summary=yes],
	[measure_openacc_summary="no (no acc_prof.h)"])
AM_CONDITIONAL([HAVE_OPENACC], [test $measure_have_openacc = yes])
