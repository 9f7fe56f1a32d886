#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync in little memory gives the same archive, and one line where its file finds no room
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
generate=$t_build/tests/sync/generate
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
cd "$work" || exit 1
unmount()
{
	umount "$work/disk" 2>/dev/null
	t_clear
}
trap unmount EXIT

# What does not depend on how the work was done.
numbers()
{
	grep -v -E '"(seconds|.*per_second|.*memory.*)"' "$1"
}

# spilled FILE: bytes, as the results say
spilled()
{
	sed -n 's/.*"spilled_bytes": \([0-9]*\).*/\1/p' "$1"
}

# same NAME COMMAND...: what it makes of NAME, from which "one" was made, is no other, and some lay in a file
same()
{
	name=$1
	shift
	"$@" -q -r few.json "$name" -o few >text 2>words || t_fail "$*: status $?: $(cat words)"
	[ "$(spilled few.json)" -gt 0 ] || t_fail "$*: nothing in a file"
	diff -r -x '*.otf2' one few >difference || t_fail "$*: $(head -n 5 difference)"
	diff <(numbers one.json) <(numbers few.json) >difference || t_fail "$*: $(head -n 5 difference)"
	rm -rf few few.json
}

# refuses PATTERN DIRECTORY COMMAND...: status 2, one line, nothing in the directory
refuses()
{
	pattern=$1 where=$2
	shift 2
	"$@" >text 2>words
	t_equal "$*: status" 2 $?
	t_equal "$*: lines" 1 "$(t_lines words)"
	grep -q -E "$pattern" words || t_fail "$*: $(cat words)"
	t_equal "$*: left over" '' "$(ls -A "$where")"
}

"$generate" --program mixed,collectives,tasks,synchronous --ranks 5 --threads 3 --iterations 40 \
	--clock offset=500,drift=20 in || t_fail generate
cp -r in before
mkdir disk
for emit in offsets events; do
	"$sync" -q -t 1 --emit=$emit --statistics=full in -o one -r one.json || t_fail "$emit: status"
	t_equal 'with much memory' 0 "$(spilled one.json)"
	same in "$sync" -t 1 --memory=0 --emit=$emit --statistics=full
	same in "$sync" -t 3 --memory=64K --emit=$emit --statistics=full
	rm -rf one
done
t_equal 'left over' 'before disk in one.json' "$(echo $(ls -A | grep -v -e text -e words -e difference))"

# Some 32 MiB otherwise, of memory that is not of files.
"$generate" --program ring,halo --ranks 8 --local 8 --events 2000000 --clock offset=500 large || t_fail generate
"$sync" -q -t 1 large -o one -r one.json || t_fail 'large: status'
t_left_out_under_asan 'limit of the memory' 'its shadow counts as memory of the program' ||
	same large sh -c 'ulimit -d 20000 && exec "$0" "$@"' "$sync" -t 1 --memory=4M
rm -rf one

# No room for the file: a limit of its size, a full disk, no directory.
refuses '^measure: disk: no space .*; free space' disk sh -c 'ulimit -f 1000 && "$0" --memory=1M large -o disk/out' "$sync"
refuses "^measure-sync: --memory: 'lots' is not a size" disk "$sync" --memory=lots in -o disk/out
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=2m none disk 2>words; then
	refuses '^measure: disk: no space .*No space left' disk "$sync" -t 2 --memory=1M large -o disk/out
	mkdir disk/in && cp -r in/* disk/in
	before=$(ls -A disk)
	"$sync" -q --memory=0 --in-place disk/in >text 2>words
	t_equal 'in place: status' 2 $?
	grep -q "^measure: .*/disk: no space" words || t_fail "in place: $(cat words)"
	t_equal 'in place: left over' "$before" "$(ls -A disk)"
	diff -r in disk/in >difference || t_fail 'in place: another archive'
fi
diff -r in before >difference || t_fail 'another input'

# A job, each of whose processes has a file.
[ -f "$t_build/.libs/libmeasure-sync-mpi.so" ] || t_end
. "$t_tests/mpirun.sh"
$mpirun -n 1 true >/dev/null 2>&1 || t_end
"$sync" -q -t 1 in -o one -r one.json || t_fail 'alone: status'
same in timeout -k 5 120 $mpirun -n 3 "$sync" -t 2 --memory=0
mountpoint -q disk || t_end
rm -rf disk/*
timeout -k 5 120 $mpirun -n 3 "$sync" -t 1 --memory=0 large -o disk/out >text 2>words
[ $? -ne 0 ] || t_fail 'job without room: status 0'
grep -q '^measure: disk: no space' words || t_fail "job without room: $(cat words)"
case $("$mpirun" --version 2>&1) in # others kill the first rank when one has failed; the next run removes it then
*Open*MPI* | *OpenRTE*) t_equal 'job without room: left over' '' "$(ls -A disk)" ;;
esac
t_end
