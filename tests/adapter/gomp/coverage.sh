#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: every function by which the installed libgomp starts a team or ends a region is in
# the adapter's table, under the symbol version that libgomp has, and is exported by the adapter.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
table=$here/../../../adapters/gomp/gomp_calls.def
adapter=.libs/libmeasure-gomp.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -e $adapter ] || { echo "the gomp adapter is not built"; exit 77; }
libgomp=$(ldd tests/adapter/gomp/parallel.omp | awk '/libgomp/ { print $3 }')
[ -e "$libgomp" ] || { echo "no libgomp found"; exit 77; }

nm -D --with-symbol-versions "$libgomp" | awk '$2 == "T" { sub("@+", " ", $3); print $3 }' |
	sort >"$work/has"
sed -n 's/^\(PARALLEL\|PARALLEL_START\|OTHER\|QUERY\)(\(.*\)/\2/p' "$table" |
	sed 's/^[a-z]*, //; s/"//g; s/,//g' | awk '{ print $1, $2 }' | sort >"$work/rows"
nm -D $adapter | awk '$2 == "T" { print $3 }' | sort >"$work/exports"

comm -13 "$work/has" "$work/rows" >"$work/unknown"
grep -E '^GOMP_(parallel|barrier)|^GOMP_target(_ext)? |^omp_pause' "$work/has" | cut -d' ' -f1 >"$work/wanted"
comm -23 "$work/wanted" "$work/exports" >"$work/missing"
comm -13 "$work/wanted" "$work/exports" >"$work/surplus"

for what in unknown missing surplus; do
	[ ! -s "$work/$what" ] || sed "s/^/$what: /" "$work/$what"
done
[ ! -s "$work/unknown" ] && [ ! -s "$work/missing" ] && [ ! -s "$work/surplus" ]
