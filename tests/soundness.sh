#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Is an archive one that every reader takes? Used by all tests that make archives, and by hand:
#
#	tests/soundness.sh [--rectangles N] [--but RULE] DIRECTORY...
#
# Readers: otf2-print (no word on stderr, event counts equal the definitions), measure-check, Python's otf2
# module, ViTE (more than N rectangles in its picture; by default more than the 5 of one without states where
# there are 200 Enters; it leaves out what is too small to see, which is most beside one long pause). Of measure-check's rules RULE may be broken: clock.condition, where clocks
# were compared on a busy machine. A reader that is not installed is said so and left out. One line per
# archive; exit status 1 and the reason if not sound.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
min_rectangles=
but=

unsound()
{
	echo "$directory: not sound: $*"
	[ ! -s "$work/words" ] || head -n 20 "$work/words"
	exit 1
}

# The measure-check of the build directory this runs in, else an installed one.
find_measure_check()
{
	for candidate in "${MEASURE_CHECK-}" ./measure-check "$here/../build/measure-check" \
		"$(command -v measure-check)"; do
		if [ -n "$candidate" ] && [ -x "$candidate" ]; then
			echo "$candidate"
			return
		fi
	done
}

# A Python that has the otf2 module; the first one in PATH need not.
find_python()
{
	for candidate in python3 /usr/bin/python3; do
		if "$candidate" -c 'import otf2' 2>/dev/null; then
			echo "$candidate"
			return
		fi
	done
}

check_otf2_print()
{
	otf2-print --silent -Werror "$anchor" >/dev/null 2>"$work/words" ||
		unsound "otf2-print ends with $?"
	[ ! -s "$work/words" ] || unsound 'otf2-print complains'
	otf2-print -G "$anchor" >"$work/definitions" 2>"$work/words" || unsound 'otf2-print -G fails'
	otf2-print "$anchor" >"$work/events" 2>"$work/words" || unsound 'otf2-print fails on the events'
}

# Events read per location = number in its definition; and the sum for the closing line.
check_counts()
{
	awk '
		FNR == 1 { nr_file++ }
		nr_file == 1 && $1 == "LOCATION" {
			location = $2
			sub(/.*, # Events: /, "")
			defined[location] = $0 + 0
		}
		nr_file == 2 && /^[A-Z][A-Z0-9_]+ +[0-9]+ +[0-9]+ / {
			read[$2]++
			total++
			enters += $1 == "ENTER"
		}
		END {
			for (location in defined)
				if (read[location] + 0 != defined[location])
					print "location " location ": " read[location] + 0 " events read, " \
						defined[location] " defined" > "/dev/stderr"
			for (location in read)
				if (!(location in defined))
					print "location " location " is not defined" > "/dev/stderr"
			print length(defined), total + 0, enters + 0
		}' "$work/definitions" "$work/events" >"$work/counts" 2>"$work/words"
	[ ! -s "$work/words" ] || unsound 'event counts'
	read -r nr_locations nr_events nr_enters <"$work/counts"
}

check_measure_check()
{
	checker=$(find_measure_check)
	if [ -z "$checker" ]; then
		left_out="$left_out measure-check"
		return
	fi
	"$checker" "$directory" >"$work/words" 2>&1
	status=$?
	[ $status = 0 ] || { [ $status = 1 ] && [ -n "$but" ] && ! grep '^  ERROR' "$work/words" | grep -qv " $but: "; } ||
		unsound "measure-check ends with $status"
}

# What measure-check has read is what the OTF2 library reads; only in a build directory.
check_decoder()
{
	[ ! -x "${checker%/*}/tests/unit/trace/decoder" ] ||
		"${checker%/*}/tests/unit/trace/decoder" "$directory" >"$work/words" 2>&1 ||
		unsound 'our decoder and the OTF2 library differ'
}

check_python()
{
	python=$(find_python)
	if [ -z "$python" ]; then
		left_out="$left_out python3-otf2"
		return
	fi
	"$python" "$here/soundness.py" "$anchor" >"$work/words" 2>&1 || unsound 'the Python reader'
}

# By wrong clocks, before any is sent: ViTE 1.2 aborts there.
receives_first()
{
	[ -n "$(awk '/^MPI_I?(SEND|RECV) / { if (/^MPI_I?RECV/) print; exit }' "$work/events")" ]
}

# ViTE's exit status means nothing: the picture counts.
check_vite()
{
	wanted=$min_rectangles
	if [ -z "$wanted" ]; then
		[ "$nr_enters" -ge 200 ] || return
		wanted=5
	fi
	if ! command -v vite >/dev/null; then
		left_out="$left_out vite"
		return
	fi
	if receives_first; then
		left_out="$left_out vite (the first message is received before any is sent)"
		return
	fi
	QT_QPA_PLATFORM=offscreen timeout 120 vite -f "$anchor" -e "$work/picture.svg" >"$work/words" 2>&1 </dev/null
	rectangles=$(grep -c '<rect' "$work/picture.svg" 2>/dev/null)
	[ "${rectangles:-0}" -gt "$wanted" ] || unsound "ViTE draws ${rectangles:-0} rectangles, not $wanted"
}

check_archive()
{
	directory=$1
	anchor=$directory/traces.otf2
	left_out=
	: >"$work/words"
	[ -f "$anchor" ] || unsound 'no traces.otf2'
	[ ! -e "$directory/.parts" ] || unsound 'not assembled: .parts is still there'
	check_otf2_print
	check_counts
	check_measure_check
	check_decoder
	check_python
	check_vite
	echo "$directory: sound, $nr_locations locations, $nr_events events${left_out:+ (left out:$left_out)}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--rectangles) min_rectangles=$2; shift 2 ;;
	--but) but=$2; shift 2 ;;
	--*) echo "usage: $0 [--rectangles N] [--but RULE] DIRECTORY..." >&2; exit 2 ;;
	*) check_archive "$1"; shift ;;
	esac
done
