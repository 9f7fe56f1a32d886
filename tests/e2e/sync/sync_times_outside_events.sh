#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync corrects what has times beside the events: markers, snapshots, the end of a flush; and keeps thumbnails
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
for tool in otf2-print otf2-marker; do
	command -v $tool >/dev/null || t_skip "no $tool"
done
cd "$work" || exit 1

# times ARCHIVE: of the first event and of the flush of each location, and of what tells of them
times()
{
	otf2-print "$1" 2>words | sed '/= Snapshots/,$d' | awk '
		$1 == "ENTER" && /"Working"/ { print $2, "first", $3 }
		$1 == "BUFFER_FLUSH" { print $2, "flush", $3, $6 }' | sort >"$2.events"
	otf2-marker "$1" 2>words | sed -n 's/MARKER  *Time: \([0-9]*\), .*LOCATION:\([0-9]*\),.*/\2 first \1/p' | sort >"$2.markers"
	otf2-print -A "$1" 2>words | sed '1,/= Snapshots/d' | awk '
		$1 == "ENTER" && /"Working"/ { print $2, "first", $3 }' | sort >"$2.snapshots"
}

for kind in apart thumbnail; do
	"$t_build/tests/e2e/programs/foreign_archive" $kind $kind || t_fail "odd $kind"
	for emit in offsets events; do
		"$sync" --emit=$emit $kind -o $kind.$emit >text 2>words || t_fail "$kind: $(cat words)"
		times $kind.$emit/*.otf2 $kind.$emit
		grep first $kind.$emit.events >first
		t_equal "$kind, $emit: locations" 2 "$(t_lines first)"
		for what in markers snapshots; do
			diff first $kind.$emit.$what >difference || t_fail "$kind, $emit: $what: $(cat difference)"
		done
		t_equal "$kind, $emit: a flush takes" '500 500' \
			"$(awk '$2 == "flush" { print $4 - $3 }' $kind.$emit.events | xargs)"
		t_equal "$kind, $emit: markers" 4 "$(otf2-marker $kind.$emit/*.otf2 | grep -c '^MARKER ')"
		"$MEASURE_CHECK" -q $kind.$emit || t_fail "$kind, $emit: not sound"
	done
	times $kind/*.otf2 $kind.before
	cmp -s $kind.before.events $kind.offsets.events && t_fail "$kind: nothing was corrected"
	for what in events markers snapshots; do
		cmp $kind.offsets.$what $kind.events.$what || t_fail "$kind: offsets and events differ"
	done
	# What is right is not moved; what has been moved to where it belongs, neither.
	"$sync" -q --lmin=network=0,node=0 $kind.offsets -o $kind.again || t_fail "$kind: again"
	times $kind.again/*.otf2 $kind.again
	for what in events markers snapshots; do
		cmp $kind.offsets.$what $kind.again.$what || t_fail "$kind: $what: again"
	done
done
grep -q 'thumbnails removed' text && t_fail 'thumbnails are removed'
cmp thumbnail/*.thumb thumbnail.offsets/*.thumb || t_fail 'thumbnail'
"$sync" --in-place thumbnail >text || t_fail 'in place'
cmp thumbnail/*.thumb thumbnail.offsets/*.thumb && cmp thumbnail/*.marker thumbnail.offsets/*.marker ||
	t_fail 'in place: markers, thumbnails'

# A file of snapshots that is not there.
rm apart/eztrace_log/0.snap
"$sync" apart -o apart.cut >text 2>words || t_fail "a missing file: $(cat words)"
grep -q 'snapshots of 1 locations cannot be read' text || t_fail "a missing file: $(cat text)"
otf2-print --silent -Werror apart.cut/*.otf2 >text 2>&1 || t_fail "a missing file: $(cat text)"
t_end
