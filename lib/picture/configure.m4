# SPDX-License-Identifier: BSD-3-Clause
# Pictures (measure-report --png, --svg, --pdf) are drawn by cairo.
PKG_CHECK_MODULES([CAIRO], [cairo >= 1.16 cairo-svg cairo-pdf cairo-png], [measure_cairo_summary=yes],
	[measure_cairo_summary="no (no cairo 1.16: no pictures by measure-report)"])
AM_CONDITIONAL([HAVE_CAIRO], [test "$measure_cairo_summary" = yes])
