#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-sync survives damaged archives: each of FUZZ_CASES (40) archives with
# truncated files or changed bytes ends within seconds, either with status 2, one line and nothing
# written, or with an archive that is read to its end. The input is never changed. FUZZ_SEED (1) is
# the first seed; a failure names its own.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bases='sound rma.group task.twice topology.coordinates eztrace'
for base in $bases; do
	tests/unit/trace/fabricate "$base" "$work/$base" 2>"$work/words" ||
		tests/e2e/programs/foreign_archive "$base" "$work/$base" || exit 1
done
nr_bases=$(echo "$bases" | wc -w)

fail()
{
	echo "seed $1: $2"
	cat "$work/words"
	exit 1
}

sum() { cat "$work"/case/*.* "$work"/case/*/* | cksum; }

refused()
{
	[ "$(wc -l <"$work/words")" = 1 ] || fail "$1" "status 2 without one line"
	[ "$(echo "$work"/out*)" = "$work/out*" ] || fail "$1" "left over: $(echo "$work"/out*)"
}

# otf2-print and measure-check may find fault with what the events say, not with how.
corrected()
{
	[ ! -s "$work/words" ] || fail "$1" "words"
	./measure-check "$work/out" >"$work/check" 2>"$work/words"
	[ $? -le 1 ] || fail "$1" "measure-check cannot read the result"
	! grep -E 'ERROR +(location|local|anchor)\.' "$work/check" >"$work/words" || fail "$1" "the result"
	nr_corrected=$((nr_corrected + 1))
}

check()
{
	base=$(echo "$bases" | cut -d ' ' -f $(($1 % nr_bases + 1)))
	rm -rf "$work/case" "$work"/out*
	cp -r "$work/$base" "$work/case"
	tests/fuzz/mutate "$1" "$work"/case/*.* "$work"/case/*/* || exit 1
	before=$(sum)
	timeout 20 ./measure-sync -q "$work/case" -o "$work/out" >"$work/text" 2>"$work/words"
	case $? in
	0 | 1) corrected "$1" ;;
	2) refused "$1" ;;
	*) fail "$1" "neither 0, 1 nor 2" ;;
	esac
	[ "$before" = "$(sum)" ] || fail "$1" "the input is not what it was"
}

seed=${FUZZ_SEED:-1}
end=$((seed + ${FUZZ_CASES:-40}))
nr_corrected=0
while [ "$seed" -lt "$end" ]; do
	check "$seed"
	seed=$((seed + 1))
done
echo "${FUZZ_CASES:-40} damaged archives; $nr_corrected could be corrected"
