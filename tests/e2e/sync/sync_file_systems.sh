#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync on file systems of all kinds, full ones, killed at any moment, and what a killed run leaves behind
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
cd "$work" || exit 1
unmount()
{
	umount "$work/disk" 2>/dev/null
	t_clear
}
trap unmount EXIT

# sum DIRECTORY: of all that is in it
sum()
{
	(cd "$1" && find . -type f | sort | xargs sha256sum | sha256sum)
}

# refuses PATTERN COMMAND...: status 2, one line, no out
refuses()
{
	pattern=$1
	shift
	"$@" >text 2>words
	t_equal "$pattern: status" 2 $?
	t_equal "$pattern: lines" 1 "$(t_lines words)"
	grep -q -E "$pattern" words || t_fail "$pattern: $(cat words)"
	t_equal "$pattern: left over" 'out*' "$(echo out*)"
	t_equal "$pattern: input" "$before" "$(sum in)"
}

# shares PATTERN COMMAND...: event files as the pattern says
shares()
{
	pattern=$1
	shift
	rm -rf out
	"$@" >text 2>words || t_fail "$pattern: status $?: $(cat words)"
	grep -q "event files: $pattern" text || t_fail "$pattern: $(cat text words)"
	"$MEASURE_CHECK" -q out || t_fail "$pattern: not sound"
	t_equal "$pattern: input" "$before" "$(sum in)"
	rm -rf out
}

"$t_build/tests/unit/trace/fabricate" clock.condition in || t_fail fabricate
before=$(sum in)

# Links that are refused for any reason; no room for copies.
if ${CC:-cc} -shared -fPIC -o refuse.so "$t_here/refusing_file_system.c" -ldl 2>words; then
	for error in 1 31 122 18; do # EPERM EMLINK EDQUOT EXDEV
		shares '0 reflinked, 0 linked, 3 copied' env LD_PRELOAD="$work/refuse.so" \
			REFUSE_LINKS=$error "$sync" in -o out
	done
	refuses 'cannot write: Disk quota exceeded' env LD_PRELOAD="$work/refuse.so" \
		REFUSE_LINKS=122 REFUSE_WRITES=122 "$sync" in -o out
fi

# What a killed run left is removed by the next one, but not what somebody works in, or other things.
for mode in '-o out in' '--in-place place'; do
	rm -rf out* place*
	cp -r in place
	target=${mode##* }
	[ "$target" = place ] || target=out
	mkdir $target.measure-sync.aaaaaa $target.measure-sync.bbbbbb $target.other.aaaaaa
	touch $target.measure-sync.aaaaaa/some
	flock $target.measure-sync.bbbbbb "$sync" -q $mode >text 2>words || t_fail "$mode: $(cat words)"
	t_equal "$mode: left" "$target $target.measure-sync.bbbbbb $target.other.aaaaaa" "$(echo $target*)"
done
rm -rf out* place*

# In place, with what is no file.
cp -r in place
ln -s nowhere place/nowhere
ln -s ../in place/link
mkdir -p place/more/empty
"$sync" -q --in-place place || t_fail 'in place: status'
t_equal 'in place: links' 'nowhere ../in' "$(readlink place/nowhere) $(readlink place/link)"
[ -d place/more/empty ] || t_fail 'in place: an empty directory'
"$MEASURE_CHECK" -q place || t_fail 'in place: not sound'
rm -rf place

# Nobody listens to the results: the archive is there all the same.
(trap '' PIPE; "$sync" in -o out 2>words; echo $? >status) | true
t_equal 'closed pipe' '0' "$(cat status words)"
"$MEASURE_CHECK" -q out || t_fail 'closed pipe: not sound'
rm -rf out

# Killed, the parent or the child: the input is whole, the output is whole or not there, and the next run works.
for try in 1 2 3 4 5 6 7 8; do
	cp -r in place
	[ $((try % 2)) = 0 ] && set -- -o out in || set -- --in-place place
	"$sync" -q "$@" 2>words &
	pid=$!
	sleep 0.0$((RANDOM % 10))
	child=$(pgrep -P $pid)
	[ $((try % 3)) = 0 ] && victim=$child || victim=$pid
	[ -z "$victim" ] || kill -9 $victim 2>words
	wait $pid 2>words
	[ -z "$child" ] || t_wait 20 eval "! kill -0 $child" || t_fail 'somebody lives on'
	t_equal "killed: input" "$before" "$(sum in)"
	[ ! -e out ] || "$MEASURE_CHECK" -q out || t_fail 'killed: half an archive'
	"$MEASURE_CHECK" -q place
	[ $? -le 1 ] || t_fail 'killed in place: half an archive'
	rm -rf out
	"$sync" -q -o out in && "$sync" -q --in-place place || t_fail 'killed: the next run fails'
	"$MEASURE_CHECK" -q out && "$MEASURE_CHECK" -q place || t_fail 'killed: the next run'
	t_equal 'killed: left over' 'out place' "$(echo out* place*)"
	rm -rf out place
done 2>which

# Many files, few descriptors.
if "$t_build/tests/sync/generate" --program ring --ranks 100 --iterations 2 --clock offset=500 many; then
	for emit in offsets events; do
		(ulimit -n 24 && "$sync" --emit=$emit many -o many.$emit >text 2>words) || t_fail "many: $(cat words)"
		"$MEASURE_CHECK" -q many.$emit || t_fail 'many: not sound'
	done
fi

# Another user may not link to these files where the system protects them.
[ "$(id -u)" = 0 ] && mkdir disk && mount -t tmpfs -o size=1m none disk 2>words || {
	[ $t_failures = 0 ] || exit 1
	t_skip 'the rest: needs root to mount a small file system'
}
if setpriv --reuid=65534 --clear-groups test -x "$sync" 2>words && chmod 755 . &&
	[ "$(cat /proc/sys/fs/protected_hardlinks)" = 1 ]; then
	mkdir -m 777 theirs
	shares '0 reflinked, 0 linked, 3 copied' sh -c 'setpriv --reuid=65534 --clear-groups "$0" in -o theirs/out &&
		mv theirs/out out' "$sync"
fi

# Another file system; one that is full sooner or later.
shares '0 reflinked, 0 linked, 3 copied' sh -c '"$0" in -o disk/out && mv disk/out out' "$sync"
for size in 4 8 12 16 20 24 28; do
	umount disk
	mount -t tmpfs -o size=${size}k none disk
	for emit in offsets events; do
		"$sync" --emit=$emit in -o disk/out >text 2>words
		case $? in
		0) "$MEASURE_CHECK" -q disk/out || t_fail "$size KiB: not sound" ;;
		2)
			grep -q -E 'cannot write: .*(\(28\)|No space)|: No space' words ||
				t_fail "$size KiB: $(cat words)"
			t_equal "$size KiB: lines" 1 "$(t_lines words)"
			t_equal "$size KiB: left over" '' "$(ls -A disk)"
			;;
		*) t_fail "$size KiB: status" ;;
		esac
		rm -rf disk/*
	done
done
t_equal 'full disk: input' "$before" "$(sum in)"
t_end
