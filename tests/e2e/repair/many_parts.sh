#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the archive of many parts is the same with any number of threads, with few descriptors, and after 20 kills
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # ext4 is slow where many files were removed just before
. "$(dirname "$0")/../lib.sh"
repair=$t_build/measure-repair
make_parts=$t_build/tests/scale/make_parts
kills=${MANY_PARTS_KILLS:-20}
cd "$work" || exit 1
[ -x "$make_parts" ] || t_skip 'make_parts is not built'

few()
{
	(ulimit -n 32 && exec "$repair" "$@")
}

# What OTF2 draws by lot for each archive is not compared.
content()
{
	(cd "$1" && find . -type f ! -path './.parts*' ! -name traces.otf2 ! -name summary.txt -exec sha256sum {} + | sort -k 2)
	otf2-print -A "$1/traces.otf2" | grep -v -i -E 'identifier|trace id|^ *Path'
}

# Some keepers of it were killed; communicators of all shapes.
"$make_parts" --ranks 100 --events 40 --communicators 7 --shape shuffled --killed 10 run || t_fail make_parts
for threads in 1 2 7; do
	rm -rf copy
	cp -rp run copy
	few -q --threads $threads copy
	t_equal "threads $threads: status" 1 $?
	content copy >"with_$threads"
	cmp -s with_1 "with_$threads" || t_fail "threads $threads: another archive: $(diff with_1 "with_$threads" | head -n 5)"
	[ $threads != 1 ] || t_sound "$work/copy"
done
[ "$(wc -l <with_1)" -gt 200 ] || t_fail "no archive: $(head -n 5 with_1)"

# Killed somewhere between the first part and the last step, and begun anew.
rm -rf copy
cp -rp run copy
begin=$(date +%s%N)
few -q copy
length=$((($(date +%s%N) - begin) / 1000)) # us
nr_killed=0
for ((i = 0; i < kills; i++)); do
	rm -rf copy
	cp -rp run copy
	(ulimit -n 32 && exec "$repair" -q copy) 2>/dev/null &
	pid=$!
	sleep "$(printf '%d.%06d' $((length * i / kills / 1000000)) $((length * i / kills % 1000000)))"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	[ $? != 137 ] || nr_killed=$((nr_killed + 1))
	[ -f copy/traces.otf2 ] && [ ! -e copy/.parts ] || few -q --threads $((1 + i % 3)) copy >said 2>&1 || [ $? = 1 ] || t_fail "$i: $(cat said)"
	content copy >found
	cmp -s found with_1 || t_fail "$i: another archive: $(diff found with_1 | head -n 5)"
	[ ! -e copy/.parts ] || t_fail "$i: .parts is left over"
done
[ $nr_killed -gt $((kills / 2)) ] || t_fail "only $nr_killed of $kills were killed in time"
echo "killed $nr_killed times"
"$repair" --threads 0 copy >said 2>&1
t_equal 'no threads: status' 2 $?
grep -q 'requires a number' said || t_fail "no threads: $(cat said)"
t_end
