#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: with memory recorded, programs do what they did: their errors are found and said as before, with
# whatever allocator, in constructors, children and handlers; and the archive says what they allocated.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../asan.sh"
! left_out_under_asan "$PWD" all 'its allocator has to be the first one' || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strange=$PWD/tests/adapter/memory/hard_programs
status=0
[ -x ./measure ] || { echo "measure is not built"; exit 77; }
unset MEASURE_ADAPTERS MEASURE_MEMORY_MIN

fail()
{
	echo "failed: $*"
	status=1
}

# record WHAT PROGRAM...: runs it as by itself; archive in $work/archive. With $options, and with $library preloaded
options= library=
record()
{
	what=$1
	shift
	rm -rf "$work/archive"
	LD_PRELOAD=$library "$@" >"$work/plain" 2>&1
	plain=$?
	# shellcheck disable=SC2086 # a list
	LD_PRELOAD=$library ./measure -a +memory $options -o "$work/archive" "$@" >"$work/traced" 2>&1
	traced=$?
	[ $plain = $traced ] || fail "$what: ends with $traced, not $plain"
	cmp "$work/plain" "$work/traced" || { fail "$what: other words"; cat "$work/traced"; }
	./measure-check "$work/archive" >"$work/words" && grep -q ' 0 warnings' "$work/words" ||
		{ fail "$what: not sound"; cat "$work/words"; }
	command -v otf2-print >/dev/null || return 0
	otf2-print "$work/archive/traces.otf2" >"$work/events"
}

# enters REGION, values: of what is in use, in their order
enters()
{
	grep -c "^ENTER .*Region: \"$1\"" "$work/events"
}

values()
{
	sed -n 's/^METRIC .*"Allocated memory".*; \([0-9]*\))$/\1/p' "$work/events"
}

in_order()
{
	record double "$strange" double
	record bad "$strange" bad
	record fork "$strange" fork
	[ "$(enters free)" = 1 ] || fail "fork: $(enters free) times freed in the parent"
	record loader "$strange" loader
	record large "$strange" large
	[ "$(values | sort -n | tail -n 1)" = $((5 << 30)) ] || [ "$plain" = 77 ] ||
		fail "large: in use: $(values | tr '\n' ' ')"
	library=$PWD/tests/adapter/memory/.libs/libearly.so
	record early "$strange" blocks
	library=
	record exception "$work/operators"
}

# Signals come at other moments in each run; what is recorded is whole.
signals()
{
	record signals "$strange" signals
	[ "$(enters malloc)" = 30000 ] || fail "signals: $(enters malloc) calls of malloc"
	[ "$(values | tail -n 1)" = 0 ] || fail "signals: in use at the end: $(values | tail -n 1)"
}

# What others freed is off the sum too, but for what threads have not counted yet: 1/4096 each.
threads()
{
	record threads "$strange" threads
	sh "$here/../../soundness.sh" "$work/archive" || fail 'threads: not sound'
	[ "$(enters malloc)" = 8001 ] || fail "threads: $(enters malloc) calls of malloc"
	left=$(values | tail -n 1)
	[ "$left" -lt 2000 ] || fail "threads: in use at the end: $left"
	[ "$(values | sort -n | tail -n 1)" -gt 1000000 ] || fail "threads: the most in use is not there"
}

smallest()
{
	record all "$strange" blocks
	[ "$(enters malloc) $(enters free)" = '30 30' ] || fail "all: $(enters malloc) $(enters free)"
	sh "$here/../../soundness.sh" --rectangles 0 "$work/archive" || fail 'all: not sound'
	options=--memory-min=1000
	record some "$strange" blocks
	[ "$(enters malloc) $(enters free)" = '20 20' ] || fail "some: $(enters malloc) $(enters free)"
	[ "$(values | sort -n | tail -n 1)" = 1010100 ] || fail "some: in use: $(values | tr '\n' ' ')"
	options=--memory-min=50K
	record large-ones "$strange" blocks
	[ "$(enters malloc) $(enters free)" = '10 10' ] || fail "large ones: $(enters malloc) $(enters free)"
	options=--exclude=malloc
	record filtered "$strange" blocks
	[ "$(enters malloc) $(enters free)" = '0 30' ] || fail "filtered: $(enters malloc) $(enters free)"
	! grep -A1 "^ENTER .*\"free\"" "$work/events" | grep -q ALLOCATION_SIZE.*ALLOCATION_SIZE.*ALLOCATION_SIZE ||
		fail 'filtered: attributes of calls that are left out'
	echo 'exclude malloc shorter=1s' >"$work/filter"
	options=--filter=$work/filter
	record short "$strange" blocks
	[ "$(enters malloc) $(enters free)" = '0 30' ] || fail "short: $(enters malloc) $(enters free)"
	options=
}

# allocator FILE
allocator()
{
	path=$(ldconfig -p 2>/dev/null | sed -n "s/.*$1 .*=> //p" | head -n 1)
	[ -n "$path" ] || { echo "$1 is not installed"; return; }
	for mode in blocks threads large; do
		library=$path
		record "$mode with $1" "$strange" $mode
		library=
		[ "$mode" != blocks ] || [ "$(values | sort -n | tail -n 1)" = 1010100 ] ||
			fail "$1: in use: $(values | tr '\n' ' ')"
	done
	${CC:-cc} -o "$work/linked" "$work/linked.c" "$path" 2>"$work/words" ||
		{ echo "not linked to $1: $(cat "$work/words")"; return; }
	record "linked to $1" "$work/linked"
	[ "$(enters malloc) $(enters free)" = '100 100' ] || fail "linked to $1: $(enters malloc) $(enters free)"
}

${CXX:-g++} -std=c++17 -o "$work/operators" "$here/operators.cc" 2>/dev/null || ln -s /bin/true "$work/operators"
cat >"$work/linked.c" <<'END'
#include <stdlib.h>
int main(void)
{
	for (int i = 0; i < 100; i++) {
		void *volatile memory = malloc(100);
		free(memory);
	}
	return 0;
}
END
in_order
signals
threads
smallest
allocator libjemalloc.so.2
allocator libtcmalloc_minimal.so.4
python=$(command -v /usr/bin/python3) && record python "$python" -c 'import json; print(json.dumps([1] * 100))'
exit $status
