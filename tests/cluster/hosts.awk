# SPDX-License-Identifier: BSD-3-Clause
#
# Reads `otf2-print -G` and then `otf2-print -C` of an archive of four ranks on two hosts: two
# nodes with their host names, each rank under its own; offsets of host2's clock that differ from
# STEP ticks by no more than the archive says they may.

function wrong(what)
{
	print what
	nr_wrong++
}

# The number in "..., KEY value, ..." or "..., KEY value".
function number_after(key,	text)
{
	text = $0
	sub(".*" key " ", "", text)
	return text + 0
}

$1 == "SYSTEM_TREE_NODE" && /Class: "node"/ {
	match($0, /Name: "[^"]*"/)
	node[$2] = substr($0, RSTART + 7, RLENGTH - 8)
	nr_nodes++
}

$1 == "LOCATION_GROUP" {
	parent = $0
	sub(/.*Parent: "[^"]*" </, "", parent)
	host[$2] = node[parent + 0]
	nr_ranks++
}

# Location ids end in the rank: thread << 32 | rank.
$1 == "CLOCK_OFFSET" {
	rank = $2 % 4294967296
	error = number_after("Offset:") + (host[rank] == "host2" ? STEP : 0)
	bound = number_after("StdDev:")
	nr_offsets[$2]++
	if (error > bound || -error > bound)
		wrong("location " $2 ": offset wrong by " error ", more than its bound of " bound)
	if (host[rank] == "host2" && bound > 0)
		nr_measured++
}

END {
	if (nr_nodes != 2 || nr_ranks != 4)
		wrong(nr_nodes " nodes, " nr_ranks " ranks")
	for (rank = 0; rank < 4; rank++)
		if (host[rank] != (rank < 2 ? "host1" : "host2"))
			wrong("rank " rank " is on " host[rank])
	for (location in nr_offsets)
		if (nr_offsets[location] < 2)
			wrong("location " location ": one offset, which readers ignore")
	if (nr_measured < 4)
		wrong(nr_measured + 0 " measured offsets")
	exit nr_wrong > 0
}
