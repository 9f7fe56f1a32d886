# SPDX-License-Identifier: BSD-3-Clause
# The data of a report page are deflated, and tables of measure-convert --to starvz compressed.
PKG_CHECK_MODULES([ZLIB], [zlib], [measure_report_summary=yes], [measure_report_summary="no (no zlib)"])
AM_CONDITIONAL([HAVE_ZLIB], [test "$measure_report_summary" = yes])
AS_IF([test "$measure_report_summary" = yes], [AC_DEFINE([HAVE_ZLIB], [1], [Define to 1 if zlib is there.])])
