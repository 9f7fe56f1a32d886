# SPDX-License-Identifier: BSD-3-Clause
#
# Reads `otf2-print -G` and then `otf2-print -C` of an archive of RANKS ranks on HOSTS hosts, as many
# on each: as many nodes with their host names, each rank under its own; offsets of host K's clock
# that differ from (K - 1) * STEP ticks by no more than the archive says they may.

function wrong(what)
{
	print what
	nr_wrong++
}

# How many hosts are before this one.
function place_of(name)
{
	return substr(name, 5) - 1
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
	error = number_after("Offset:") + place_of(host[rank]) * STEP
	bound = number_after("StdDev:")
	nr_offsets[$2]++
	if (error > bound || -error > bound)
		wrong("location " $2 ": offset wrong by " error ", more than its bound of " bound)
	if (place_of(host[rank]) > 0 && bound > 0)
		nr_measured++
}

END {
	if (nr_nodes != HOSTS || nr_ranks != RANKS)
		wrong(nr_nodes " nodes, " nr_ranks " ranks")
	for (rank = 0; rank < RANKS; rank++)
		if (host[rank] != "host" (int(rank * HOSTS / RANKS) + 1))
			wrong("rank " rank " is on " host[rank])
	for (location in nr_offsets)
		if (nr_offsets[location] < 2)
			wrong("location " location ": one offset, which readers ignore")
	if (nr_measured < 2 * (RANKS - RANKS / HOSTS))
		wrong(nr_measured + 0 " measured offsets")
	exit nr_wrong > 0
}
