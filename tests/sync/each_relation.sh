#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: of each relation that the matcher looks for the generator makes some, and the independent
# reader finds as many as the matcher, between as many pairs of events.
. "$(dirname "$0")/lib.sh"

# compare NAME ARGUMENT...: of generate; adds relations to $work/found
compare()
{
	name=$1
	shift
	tests/sync/generate --seed 11 "$@" "$work/$name" || fail "generate $*"
	./measure-check --relations=+all --rendezvous=4096 "$work/$name" >"$work/said" 2>&1 || fail "$name"
	sed -n '/happens before/,/^$/p' "$work/said" | table >"$work/ours"
	"$here/oracle/oracle.py" check --assumed 4096 "$work/$name" >"$work/said" 2>&1 || fail "$name"
	table <"$work/said" >"$work/theirs"
	diff "$work/ours" "$work/theirs" || fail "$name: the matcher and the independent reader disagree"
	cat "$work/ours" >>"$work/found"
}

# Relations with the numbers of instances and pairs, one a line, from a table with these first.
table()
{
	sed -n 's/^  \([A-Za-z][A-Za-z _-]*[a-z]\)  *\([0-9][0-9]*\)  *\([0-9][0-9]*\) .*/\1: \2 \3/p' | LC_ALL=C sort
}

compare all --program mixed,windows,assumed --ranks 6 --threads 4 --nodes 3 --spawned 2 --created 2 \
	--free-waits 1 --iterations 150
compare threads --program pthread --ranks 2 --threads 3
sed -n 's/^RELATION([A-Z_]*, [0-9]*, "\([^"]*\)".*/\1/p' "$here/../../lib/trace/relations/relations.def" >"$work/words"
[ "$(wc -l <"$work/words")" -ge 37 ] || fail "few relations: $(cat "$work/words")"
# The generator has no pipes: tests/unit/waits/waits_pipes.c has.
while read -r word; do
	[ "$word" = pipe ] || grep -q "^$word: [1-9]" "$work/found" || fail "no $word was made"
done <"$work/words"
echo passed
