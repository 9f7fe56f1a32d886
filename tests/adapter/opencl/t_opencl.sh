# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the opencl adapter have in common. They run in the build directory.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
# kernels are compiled for this test only
export MEASURE_QUIET=yes MEASURE_OVERHEAD=off POCL_CACHE_DIR="$work/pocl"
program=tests/adapter/opencl/opencl_program

fail()
{
	echo "failed: $*"
	exit 1
}

[ -e .libs/libmeasure-opencl.so ] || { echo "the opencl adapter is not built"; exit 77; }
[ -x $program ] || { echo "no libOpenCL"; exit 77; }
timeout 60 $program questions >"$work/plain" 2>"$work/words"
case $? in
0) ;;
77) echo "no OpenCL device (Debian: pocl-opencl-icd)"; exit 77 ;;
*) fail "the program: $(cat "$work/words")" ;;
esac

# record WAY [OPTIONS OF MEASURE]: a sound archive in $work/run, of which $work/events and $work/definitions tell
record()
{
	way=$1
	shift
	rm -rf "$work/run"
	timeout 60 ./measure "$@" -o "$work/run" $program "$way" >"$work/said" 2>"$work/words" ||
		fail "$way: ends with $?: $(cat "$work/words")"
	[ ! -s "$work/words" ] || fail "$way: $(cat "$work/words")"
	sh "$here/../../soundness.sh" --rectangles 0 "$work/run" >"$work/sound" || fail "$way: $(cat "$work/sound")"
	awk '/^Losses/ { getline; exit $1 != "none" }' "$work/run/summary.txt" ||
		fail "$way: $(sed -n '/^Losses/,/^$/p' "$work/run/summary.txt")"
	otf2-print "$work/run/traces.otf2" >"$work/events"
	otf2-print -G "$work/run/traces.otf2" >"$work/definitions"
}
