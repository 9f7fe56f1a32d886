# SPDX-License-Identifier: BSD-3-Clause
# measure-convert --to sqlite.
PKG_CHECK_MODULES([SQLITE], [sqlite3 >= 3.24], [measure_sqlite_summary=yes],
	[measure_sqlite_summary="no (no sqlite3 3.24)"])
AM_CONDITIONAL([HAVE_SQLITE], [test "$measure_sqlite_summary" = yes])
AS_IF([test "$measure_sqlite_summary" = yes],
	[AC_DEFINE([HAVE_SQLITE], [1], [Define to 1 if SQLite is there.])])
