#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: our decoder of event files and the OTF2 library read the same, of archives of all kinds:
# made-up ones of all programs, corrected ones, cut and damaged ones, and what measure and EZTrace record.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "failed: $*"
	exit 1
}

[ -x tests/unit/trace/decoder ] || { echo 'skipped: no CUnit'; exit 77; }
# steps of programs, of all that generate knows
steps=$(./tests/sync/generate --help | awk '/^Steps/ { go = 1; next } /^[A-Z]/ { go = 0 } go && NF > 3 { print $1 }')
[ -n "$steps" ] || fail 'no steps'
for step in $steps; do
	set -- --program "$step" --ranks 4 --threads 2 --iterations 60 --renumber 1
	./tests/sync/generate "$@" --clock offset=500,drift=20 --samples periodic "$work/$step" >"$work/words" 2>&1 ||
		fail "generate $step: $(cat "$work/words")"
	./tests/sync/generate "$@" --truncated 2 --missing 1 "$work/$step.cut" >"$work/words" 2>&1 ||
		fail "generate $step: $(cat "$work/words")"
done
./measure-sync -q --emit=events "$work/ring" -o "$work/corrected" || fail 'measure-sync'
for base in sound rma.group rma.lock rma.collective io.order task.twice topology.coordinates; do
	./tests/unit/trace/fabricate "$base" "$work/$base" || fail "fabricate $base"
done
./tests/e2e/programs/foreign_archive eztrace "$work/odd" || fail 'foreign_archive'
for seed in 1 2 3 4 5 6 7 8 9; do
	cp -r "$work/sound" "$work/damaged$seed"
	./tests/fuzz/mutate $seed "$work/damaged$seed"/traces/*.evt || fail 'mutate'
done
. "$here/../mpirun.sh"
. "$here/../eztrace.sh"
(cd "$work" && eztrace_ring "$here/../e2e/programs/mpi_ring.c" 2)
./measure -q -o "$work/recorded" /bin/sh -c 'ls /' >"$work/words" 2>&1 || fail "measure: $(cat "$work/words")"

set --
for anchor in "$work"/*/*.otf2; do
	set -- "$@" "$(dirname "$anchor")"
done
./tests/unit/trace/decoder "$@" || fail 'they differ'
