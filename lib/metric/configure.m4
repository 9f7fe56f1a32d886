# SPDX-License-Identifier: BSD-3-Clause
# PAPI's metrics are a module of their own.
AC_CHECK_HEADER([papi.h],
	[AC_CHECK_LIB([papi], [PAPI_library_init], [measure_papi_summary=yes],
		[measure_papi_summary="no (no libpapi)"])],
	[measure_papi_summary="no (no papi.h)"])
AM_CONDITIONAL([HAVE_PAPI], [test "$measure_papi_summary" = yes])
