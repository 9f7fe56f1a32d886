# SPDX-License-Identifier: BSD-3-Clause
# The data of a report page are deflated.
PKG_CHECK_MODULES([ZLIB], [zlib], [measure_report_summary=yes], [measure_report_summary="no (no zlib)"])
AM_CONDITIONAL([HAVE_ZLIB], [test "$measure_report_summary" = yes])
