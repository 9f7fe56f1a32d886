#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: what keepers of children find out is told by measure, once, with the file and what to do
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cc=${CC:-cc}
$cc -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>/dev/null || t_skip 'no compiler'
$cc -O1 -shared -fPIC -o disk.so "$t_programs/faulty_disk.c" -ldl || t_skip 'no compiler'

# told NAME NUMBER WORDS: so many lines of measure's, one of them with these words
told()
{
	grep '^measure: ' "$1.err" >told
	t_equal "$1: lines" "$2" "$(t_lines told)"
	grep -q "^measure: $3" told || t_fail "$1: stderr: '$(cat "$1.err")'"
	cat told
}

# A full disk: two children at once meet it.
: >trouble
for full in wait stop; do
	LD_PRELOAD="$work/disk.so" DISK_FULL="$work/trouble" "$measure" --children=follow --full=$full --chunk 256K --patience=0 \
		-o full-$full sh -c './faults plain c1 & ./faults plain c2; wait; exit 4' >full-$full.out 2>full-$full.err
	t_equal "full-$full: status" 4 $?
done
told full-wait 2 "$work/full-wait: No space left on device: when event memory is full, .*: free space$"
grep -q 'cannot write event files: .*; free space and run measure-repair$' full-wait.err || t_fail "full-wait: $(cat full-wait.err)"
told full-stop 1 "$work/full-stop: cannot write event files: No space left on device: .*; free space and run measure-repair$"
rm trouble

# The directory is removed: told once, although two of them miss it.
setsid "$measure" --children=follow -o removed sh -c './faults long counts; exit 5' >removed.out 2>removed.err &
wrapper=$!
t_wait 20 grep -q ready removed.out || t_fail 'removed: does not start'
t_wait 20 rm -r removed
pkill -TERM -s $wrapper -x faults
wait $wrapper
t_equal 'removed: status' 5 $?
told removed 1 "$work/removed: removed while the program was running: the recording is lost$"

# A keeper that dies is told with its process; one after the other.
setsid "$measure" --children=follow -o died sh -c './faults long counts; exit 6' >died.out 2>died.err &
wrapper=$!
t_wait 20 grep -q ready died.out || t_fail 'died: does not start'
program=$(pgrep -s $wrapper -x faults)
keeper=$(pgrep -s "$(t_guard $wrapper)" -x measure-keeper -n)
kill -9 "$keeper"
t_wait 20 grep -q . died.err
told died 1 "$work/died: the keeper of process $program died: started another (1 of 3)$"
kill -TERM "$program"
wait $wrapper
t_equal 'died: status' 6 $?
t_end
