# SPDX-License-Identifier: BSD-3-Clause
#
# Reads `otf2-print -G`, `otf2-print -C` and, if it is given, what measure-check says, of an archive of
# four ranks on simulated clocks with offset and drift: each rank has NR_SAMPLES offsets or more, right
# to within the bounds that the archive states, and nothing happens before what it had to wait
# for by more than these bounds allow.

/^CLOCK_PROPERTIES/ {
	match($0, /Seconds: [0-9]+/)
	frequency = substr($0, RSTART + 9, RLENGTH - 9)
}
# What the simulation did: simulated = real + offset + drift * (real - origin).
/CLOCK_TRUTH_(OFFSET|DRIFT|ORIGIN)/ && /LOCATION_GROUP_PROPERTY/ {
	match($0, /CLOCK_TRUTH_[A-Z]+/)
	what = substr($0, RSTART + 12, RLENGTH - 12)
	match($0, /" <[0-9]+>/)
	rank = substr($0, RSTART + 3, RLENGTH - 4)
	truth[rank, what] = $NF
	nr_truths++
}
/^CLOCK_OFFSET/ {
	gsub(/[,+]/, "")
	rank = $2 % 4294967296 # location: thread << 32 | rank
	real = $4 - truth[rank, "OFFSET"] + truth[rank, "DRIFT"] * truth[rank, "ORIGIN"]
	real /= 1 + truth[rank, "DRIFT"]
	reference = real + truth[0, "OFFSET"] + truth[0, "DRIFT"] * (real - truth[0, "ORIGIN"])
	error = $4 + $6 - reference
	bound = $8 + 16 # the truth is printed with six digits
	print "rank " rank ": offset " $6 ", wrong by " error ", bound " $8
	nr_samples[rank]++
	largest = $8 > largest ? $8 : largest
	if (error > bound || -error > bound || $8 > 1e8)
		is_wrong = 1
}
# A row of measure-check: relation, instances, edges, reversed, worst in seconds.
$NF == "s" && NF >= 6 && $(NF - 1) > 0 && $(NF - 2) ~ /^[0-9]+$/ {
	print $0
	if ($(NF - 1) * frequency > 2 * largest)
		is_wrong = 1
}
END {
	for (rank = 0; rank < 4; rank++)
		if (nr_samples[rank] < NR_SAMPLES)
			is_wrong = 1
	exit is_wrong || nr_truths != 12
}
