#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: threads of a process whose clocks differ are found by measure-sync, told and corrected each
# by itself, whatever they were taken to share and with how many threads; nobody else is.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "failed: $*"
	exit 1
}

# correct NAME ARGUMENT...: $work/in into $work/NAME, what is said into $work/said
correct()
{
	name=$1
	shift
	rm -rf "${work:?}/$name"
	./measure-sync "$@" "$work/in" -o "$work/$name" >"$work/said" || fail "$*: status $?: $(cat "$work/said")"
	./measure-check -q "$work/$name" || fail "$*: not sound: $(./measure-check "$work/$name")"
}

# split N: processes that measure-sync has said share no clock
split()
{
	[ "$(grep -c 'its locations do not share a clock' "$work/said")" = "$1" ] || fail "not $1: $(cat "$work/said")"
}

same_events()
{
	for file in "$work"/one/traces/*.evt; do
		cmp "$file" "$work/other/traces/${file##*/}" || fail "$*: not the same"
	done
}

# Sockets 3 us apart, in processes that are not together either.
tests/sync/generate --program mixed --ranks 3 --threads 4 --iterations 40 --clock offset=100,socket=3000 \
	"$work/in" || fail generate
correct one --emit=events
split 3
for domain in process node location; do
	correct other --emit=events --threads=3 --domain=$domain
	[ $domain = location ] || split 3
	same_events --domain=$domain
done
./measure-sync --json "$work/in" -o "$work/json" >"$work/said" || fail '--json'
grep -q '{"process": "MPI Rank 2", "relations": [1-9][0-9]*, "cycle": false, "clock_offsets": false}' "$work/said" ||
	fail "$(cat "$work/said")"

# Clocks that differ by less than anything takes: nothing shows it.
rm -rf "$work/in"
tests/sync/generate --program mixed --ranks 3 --threads 4 --iterations 40 --clock offset=100,socket=100 \
	"$work/in" || fail generate
correct one --emit=events
split 0

# Many events at one tick.
for domain in process node; do
	rm -rf "$work/in"
	tests/sync/generate --program mixed --ranks 6 --threads 3 --nodes 2 --clock-of node --seed 2 --iterations 40 \
		--clock offset=100,drift=100,tick=20000 "$work/in" || fail generate
	correct one --domain=$domain
done
echo passed
