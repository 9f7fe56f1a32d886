# SPDX-License-Identifier: BSD-3-Clause
# What a node consists of is found out by a program of its own: nothing else loads hwloc.
PKG_CHECK_MODULES([HWLOC], [hwloc >= 2.1], [measure_hwloc_summary=yes],
	[measure_hwloc_summary="no (no hwloc 2.1)"])
AM_CONDITIONAL([HAVE_HWLOC], [test "$measure_hwloc_summary" = yes])
