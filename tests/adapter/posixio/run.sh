#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: runs a test program without and with the adapter, against the stub of the API and, where
# `measure` is built, end to end.
set -u
program=$1
name=$(basename "$program" .pio)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export T_WORK="$work/files"
mkdir "$T_WORK"
trap 'rm -rf "$work"' EXIT
# Descriptors of whoever runs the tests (a lock, make's pipe) are not the program's: it would close them, too.
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-

fail()
{
	echo "$name: $*"
	exit 1
}

against_stub()
{
	MEASURE_STUB_LOG="$work/log" \
		LD_PRELOAD="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-posixio.so" \
		"$program" >"$work/traced" || fail "against the stub: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output with the adapter"
	{ grep -v '^event' "$work/log"; grep '^event' "$work/log" | sort -s -n -k 3,3; } >"$work/sorted"
	awk -f "$here/check_log.awk" "$work/plain" "$work/sorted" || fail "against the stub"
}

# And what the archive holds is what the program says.
end_to_end()
{
	./measure --adapters=+posixio "$@" -o "$work/archive" "$program" >"$work/traced" \
		2>"$work/words" || fail "end to end ($*): ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output under measure ($*)"
	# that it takes long is said on a busy machine
	! grep -v "waiting for the archive to be assembled" "$work/words" || fail "under measure ($*) it says something"
	sh "$here/../../soundness.sh" --rectangles 0 "$work/archive" || fail "not sound ($*)"
	command -v otf2-print >/dev/null || return 0
	otf2-print "$work/archive/traces.otf2" >"$work/events"
	otf2-print -G "$work/archive/traces.otf2" >"$work/definitions"
	while read -r kind what count; do
		case $kind in
		event) # one of which otf2-print calls by another name
			what=$(echo "$what" | sed s/_status_flags/_flags/)
			found=$(grep -c "^$(echo "$what" | tr a-z A-Z) " "$work/events")
			;;
		region) found=$(grep -c "^ENTER .*\"$what\"" "$work/events") ;;
		most)
			found=$(grep -c '^IO_HANDLE ' "$work/definitions")
			[ "$found" -gt "$count" ] || found=$count
			;;
		*) continue ;;
		esac
		[ "$found" = "$count" ] || fail "$kind $what ($*): $found found, $count expected"
	done <"$work/plain"
	rm -r "$work/archive"
}

# A frame that cancellation unwinds keeps its marks in AddressSanitizer's shadow: what the handler calls then lies
# in them, in any program.
. "$here/../../asan.sh"
if [ "$name" = cancelled ] && left_out_under_asan "$PWD" all 'it does not see that frames are gone after a cancellation'; then
	exit 77
fi
"$program" >"$work/plain"
status=$?
[ $status != 77 ] || { echo "so many descriptors cannot be had"; exit 77; }
[ $status = 0 ] || fail "ends with $status by itself"
# the stub has a descriptor for its log, which that one would close
[ "$name" = close_all ] || against_stub
[ ! -x ./measure ] || end_to_end
