# SPDX-License-Identifier: BSD-3-Clause
#
# From `otf2-print -G` and `otf2-print -C` of an archive that was recorded on simulated clocks: what
# tests/cluster/truth reads, one thread per rank.

/LOCATION_GROUP_PROPERTY/ && /"MEASURE::CLOCK_TRUTH_ORIGIN"/ {
	match($0, /" <[0-9]+>/)
	print "origin", substr($0, RSTART + 3, RLENGTH - 4), $NF
}

# CLOCK_OFFSET location Time: T, Offset: O, StdDev: B
$1 == "CLOCK_OFFSET" && $2 < 4294967296 {
	gsub(/[,+]/, "")
	print "knot", $2, $4, $6, $8
}
