# SPDX-License-Identifier: BSD-3-Clause
#
# Makes of gomp_calls.def the version script of edges.c: the adapter asks for libgomp's functions
# by their versions, and finds those first.
/^(PARALLEL|PARALLEL_START|OTHER)\(/ && match($0, /[A-Za-z_0-9]+, "[A-Z0-9._]+"/) {
	split(substr($0, RSTART, RLENGTH - 1), row, ", \"")
	names[row[2]] = names[row[2]] " " row[1] ";"
}
END {
	for (version in names)
		print version " {" names[version] " };"
}
