# SPDX-License-Identifier: BSD-3-Clause
# The page of measure-report is bundled by node from packages that share/quickstart fetches. Nothing else needs them.
AC_ARG_WITH([node-modules], [AS_HELP_STRING([--with-node-modules=DIR],
	[npm packages for the report page (default: share/report/node_modules of the sources)])],
	[], [with_node_modules=$(cd "$srcdir" && pwd)/share/report/node_modules])
AC_ARG_VAR([NODE], [JavaScript runtime that builds the report page])
AC_PATH_PROGS([NODE], [node nodejs], [no])
NODE_MODULES=$with_node_modules
AC_SUBST([NODE_MODULES])
# esbuild may be Debian's, which node finds by itself.
measure_page_summary=yes
AS_IF([test "x$with_node_modules" = xno], [measure_page_summary="no (--without-node-modules)"],
	[test "x$NODE" = xno], [measure_page_summary="no (no node)"],
	[test ! -d "$NODE_MODULES/uplot" || ! "$NODE" -e 'require("module").createRequire(process.argv@<:@1@:>@)("esbuild")' \
		"$NODE_MODULES/package.json" 2>/dev/null],
	[measure_page_summary="no (npm packages missing: run share/quickstart, or npm ci --prefix share/report)"])
AM_CONDITIONAL([BUILD_REPORT_PAGE], [test "$measure_page_summary" = yes])
# A tarball has the page, so that its build needs neither.
AS_IF([test "$measure_page_summary" != yes && test -f "$srcdir/share/report/report-page.html"],
	[measure_page_summary="yes (the one of the tarball)"])
AM_CONDITIONAL([HAVE_REPORT_PAGE], [case $measure_page_summary in yes*) true;; *) false;; esac])
