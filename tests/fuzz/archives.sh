#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-check survives damaged archives: each of FUZZ_CASES (80) archives with
# truncated files or changed bytes ends with status 0, 1 or 2, within seconds, and says something
# where it is 2. FUZZ_SEED (1) is the first seed; a failure names its own.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Between them they have records of all kinds.
bases='sound rma.group rma.lock rma.collective io.order task.twice topology.coordinates'
for base in $bases; do
	tests/unit/trace/fabricate "$base" "$work/$base" || exit 1
done
nr_bases=$(echo "$bases" | wc -w)

check()
{
	base=$(echo "$bases" | cut -d ' ' -f $(($1 % nr_bases + 1)))
	rm -rf "$work/case"
	cp -r "$work/$base" "$work/case"
	tests/fuzz/mutate "$1" "$work"/case/*.* "$work"/case/traces/* || exit 1
	timeout 20 ./measure-check -q "$work/case" 2>"$work/words"
	status=$?
	case $status in
	0 | 1) ;;
	2) [ -s "$work/words" ] || fail "$1" "status 2 without a word" ;;
	*) fail "$1" "exit status $status" ;;
	esac
	[ "$(wc -l <"$work/words")" -le 1 ] || fail "$1" "more than one line on stderr"
	! grep -q "ended by signal" "$work/words" || nr_crashed=$((nr_crashed + 1))
}

fail()
{
	echo "seed $1: $2"
	cat "$work/words"
	exit 1
}

seed=${FUZZ_SEED:-1}
end=$((seed + ${FUZZ_CASES:-80}))
nr_crashed=0
while [ "$seed" -lt "$end" ]; do
	check "$seed"
	seed=$((seed + 1))
done
echo "${FUZZ_CASES:-80} damaged archives; the OTF2 library crashed on $nr_crashed"
