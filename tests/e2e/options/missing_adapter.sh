#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: an adapter that is to be loaded and is not there is told of in one line, and the run goes on without it
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# without NAME...: an installation that lacks these adapters
without()
{
	rm -rf installed
	mkdir installed
	for object in "$t_build"/.libs/libmeasure*.so; do
		ln -s "$object" installed
	done
	for name in "$@"; do
		rm installed/libmeasure-"$name".so
	done
}

# run NAME OPTION...: the program runs, and is recorded
run()
{
	MEASURE_QUIET=no MEASURE_LIBDIR="$work/installed" "$measure" -o "$1" "${@:2}" "$behave" 3 >"$1.out" 2>"$1.words"
	t_equal "$1: status" "$plain" $?
	grep -v -E '^measure: (recorded |most time: |next: |only program )' "$1.words" >"$1.err"
	cmp -s plain.out "$1.out" || t_fail "$1: another output"
}

# told NAME ADAPTER: of this one, and nothing else
told()
{
	t_equal "$1: words" "measure: $work/installed/libmeasure-$2.so: not found: reinstall Measure, built with the \
libraries that adapter $2 requires: recording without it" "$(cat "$1.err")"
	t_sound "$work/$1"
}

"$behave" 3 >plain.out 2>&1
plain=$?
without sample
run sample --sample=100
told sample sample
run quiet --quiet --sample=100
t_equal 'quiet: words' '' "$(cat quiet.err)"
# nobody asked for it
run unasked
t_equal 'unasked: words' '' "$(cat unasked.err)"
t_sound "$work/unasked"
run left-out --sample=100 --adapters=-sample
t_equal 'left out: words' '' "$(cat left-out.err)"

without compiler
run compiler
told compiler compiler

# named: without it all the same, but with --strict
without posixio
run named --adapters=+posixio
t_equal 'named: words' "measure: $work/installed/libmeasure-posixio.so: not found: this Measure was built without adapter \
posixio: recording without it" "$(cat named.err)"
t_sound "$work/named"
MEASURE_LIBDIR="$work/installed" "$measure" --strict --adapters=+posixio -o strict "$behave" 3 >strict.out 2>strict.err
t_equal 'strict: status' 2 $?
t_equal 'strict: output' '' "$(cat strict.out)"
grep -q 'built without adapter posixio: not starting the program$' strict.err || t_fail "strict: $(cat strict.err)"

# one line for what comes with another one
if [ -e "$t_build/.libs/libmeasure-mpi.so" ]; then
	without mpi offset
	run mpi --adapters=compiler,mpi
	t_equal 'mpi: words' "measure: $work/installed/libmeasure-mpi.so: not found: this Measure was built without adapter mpi: recording without it" \
		"$(cat mpi.err)"
	without offset
	run offset --adapters=compiler,mpi
	told offset offset
fi
t_end
