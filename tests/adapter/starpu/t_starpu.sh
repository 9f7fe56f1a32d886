# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the starpu adapter have in common. They run in the build directory.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
# a machine model of its own, which takes no benchmarks; nothing is to be said of threads that share a core
export STARPU_NCPU=2 STARPU_NOPENCL=0 STARPU_NCUDA=0 STARPU_SILENT=1 STARPU_HOME="$work/home" STARPU_LIMIT_BANDWIDTH=0 \
	STARPU_WORKERS_NOBIND=1
unset STARPU_SCHED STARPU_PROFILING STARPU_CALIBRATE
export MEASURE_QUIET=yes

fail()
{
	echo "failed: $*"
	exit 1
}

[ -e .libs/libmeasure-starpu.so ] || { echo "the starpu adapter is not built"; exit 77; }

# check NAME OPTIONS OF MEASURE -- COMMAND: same output and status, sound archive, and the facts that the command
# has written to T_FACTS... are in it. Before the command: ${launcher:-}.
check()
{
	name=$1 options=
	shift
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	rm -rf "$work"/facts* "$work/run"
	T_FACTS=$work/facts timeout 100 ${launcher:-} "$@" >"$work/plain" 2>"$work/words"
	status=$?
	[ $status -ne 77 ] || { echo "StarPU does not run here: $(cat "$work/words")"; exit 77; }
	rm -rf "$work"/facts*
	# shellcheck disable=SC2086 # several words
	T_FACTS=$work/facts timeout 100 ${launcher:-} ./measure $options -o "$work/run" "$@" >"$work/traced" \
		2>"$work/words"
	found=$?
	[ $found -eq $status ] || fail "$name: ends with $found, not $status: $(cat "$work/words")"
	# lines of ranks come in any order
	[ -z "${launcher:-}" ] || sort -o "$work/plain" "$work/plain"
	[ -z "${launcher:-}" ] || sort -o "$work/traced" "$work/traced"
	cmp "$work/plain" "$work/traced" || fail "$name: other output"
	sh "$here/../../soundness.sh" --rectangles 0 ${but:+--but $but} "$work/run" >"$work/sound" || fail "$name: $(cat "$work/sound")"
	awk '/^Losses/ { getline; exit $1 != "none" }' "$work/run/summary.txt" ||
		fail "$name: $(sed -n '/^Losses/,/^$/p' "$work/run/summary.txt")"
	otf2-print "$work/run/traces.otf2" >"$work/events"
	case $options in *-internal*) public=--public ;; *) public= ;; esac
	# shellcheck disable=SC2086 # one word or none
	python3 "$here/check_trace.py" "$work/events" "$work"/facts* $public || fail "$name $options"
}
