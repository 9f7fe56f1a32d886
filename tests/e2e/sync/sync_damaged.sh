#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync on archives that are damaged, incomplete or lie: corrected with what is there, or refused with a word
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
fabricate=$t_build/tests/unit/trace/fabricate
cd "$work" || exit 1

# fresh [KIND]: in
fresh()
{
	rm -rf in out
	"$fabricate" "${1-clock.condition}" in 2>words || "$t_build/tests/e2e/programs/foreign_archive" "$1" in || t_fail "$1"
}

sum()
{
	(cd in && find . -type f | sort | xargs sha256sum | sha256sum)
}

# refuses PATTERN: status 2, one line with in/ and the pattern, nothing written, nothing changed
refuses()
{
	before=$(sum)
	"$sync" in -o out >text 2>words
	t_equal "$1: status" 2 $?
	t_equal "$1: stdout" '' "$(cat text)"
	t_equal "$1: lines" 1 "$(t_lines words)"
	grep -q -E "^measure-sync: in.*$1" words || t_fail "$1: '$(cat words)'"
	t_equal "$1: left over" 'out*' "$(echo out*)"
	t_equal "$1: input" "$before" "$(sum)"
}

# corrects PATTERN: status 0, the pattern in the results, an archive that is read to its end
corrects()
{
	before=$(sum)
	"$sync" in -o out >text 2>words || t_fail "$1: status $?: $(cat words)"
	grep -q -E "$1" text || t_fail "$1: $(cat text)"
	"$MEASURE_CHECK" out >check
	! grep -E 'ERROR +(location|local|anchor|clock|time)\.' check >words || t_fail "$1: $(cat words)"
	! command -v otf2-print >which || otf2-print --silent out/*.otf2 >print 2>words ||
		t_fail "$1: otf2-print: $(cat words)"
	t_equal "$1: input" "$before" "$(sum)"
}

# Event files that break off, or are missing, or empty.
fresh
size=$(wc -c <in/traces/0.evt)
for length in 0 1 10 30 $((size / 2)) $((size - 10)); do
	fresh
	truncate -s "$length" in/traces/0.evt
	corrects '1 locations cannot be read to their end'
	grep -q 'locations: number of events differs from the definition' text || t_fail "$length: $(cat text)"
	t_equal "$length: said" 1 "$(grep -c 'location.truncated: 1 x' check)"
	rm -rf again
	"$sync" out -o again >text 2>words || t_fail "$length: again: $(cat words)"
	t_equal "$length: said again" 1 "$("$MEASURE_CHECK" again | grep -c 'location.truncated: 1 x')"
done
fresh
rm in/traces/1.evt
corrects '1 locations cannot be read to their end'
t_equal 'events of a location without file' 0 "$(grep -c 'location.count' check)"
fresh
rm in/traces/*.evt
refuses 'cannot read the events of any location'

# Definitions.
for length in 1 10 16; do
	fresh
	truncate -s $length in/traces/1.def
	refuses '/traces/1\.def: the local definitions (end early|cannot be read)'
done
fresh
rm in/traces/1.def
corrects 'locations without local definitions'
for length in 0 1 20 100; do
	fresh
	truncate -s $length in/traces.def
	refuses 'traces\.def'
done
fresh
rm in/traces.def
refuses 'traces\.def'
fresh group.members
refuses 'member .* of group .* does not exist'
fresh clock.properties
refuses 'the resolution of its clock is unknown'
fresh ticks
refuses '0 ticks per second'
fresh homeless
corrects '124 events, 2 locations'
fresh location.count
corrects '1 locations: number of events differs from the definition'

# The anchor. The number of locations is a 64-bit number behind magic, versions, sizes and two bytes.
fresh
at=$(LC_ALL=C grep -obUaP '\003\000\000\000\000\000\000\000' in/traces.otf2 | head -n 1 | cut -d: -f1)
printf '\004' | dd of=in/traces.otf2 bs=1 seek="$at" conv=notrunc 2>words
corrects "the number of definitions in the anchor is wrong"
# Behind two chunk sizes: 1 is for POSIX files, 2 for SION; then 1 for no compression, 2 for zlib.
for at in 28 29; do
	fresh
	printf '\002' | dd of=in/traces.otf2 bs=1 seek=$at conv=notrunc 2>words
	refuses '(substrate|compression).*; use an OTF2 library that supports'
done
for length in 0 1 7 20 40; do
	fresh
	truncate -s $length in/traces.otf2
	refuses 'traces\.otf2: not a readable OTF2 archive'
done
fresh
rm in/traces.otf2
refuses 'no \.otf2 file'
fresh
rm -r in/traces
refuses 'cannot read the events of any location'
t_end
