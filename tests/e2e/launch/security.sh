#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: nobody gets at a run, and a run at nothing, that is another user's: doc/security.md
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# The user's umask decides who may read a run, and nothing else does.
(umask 077 && "$measure" -o private true)
t_equal 'umask 077' '' "$(find private ! -type l -perm /077)"
(umask 002 && "$measure" -o team true)
t_equal 'umask 002' '' "$(find team -type d ! -perm 775; find team -type f ! -perm 664)"

# No page of the program may be written to and executed, whatever is taken out of its code.
cat >own.c <<'C'
#include <stdio.h>

int leaf(int i)
{
	return i + 1;
}

int main(void)
{
	char line[4096];
	int sum = 0;
	FILE *maps = fopen("/proc/self/maps", "r");

	for (int i = 0; i < 10000; i++)
		sum = leaf(sum);
	while (fgets(line, sizeof(line), maps))
		fputs(line, stdout);
	return sum != 10000;
}
C
${CC:-gcc} -O1 -finstrument-functions own.c -o own || t_fail 'no program'
"$measure" -o own.run --exclude leaf ./own >maps
grep -q libmeasure.so maps || t_fail 'the program was not recorded'
t_equal 'pages to write and execute' '' "$(grep ' rwx' maps)"

# What was recorded is data: a link or a pipe among the files of a part leads nowhere.
memory=4000000 # KiB
t_left_out_under_asan 'a bound of memory' 'it has terabytes of address space for itself' && memory=unlimited
tampered()
{
	mkdir "$1"
	"$t_build/tests/unit/assemble/make-parts" "$1" 999999999 1 "$(hostname)"
	echo precious >victim
	[ "$3" = truncate ] || rm -f "$1/.parts/$2"
	"${@:3}" "$1/.parts/$2"
	(ulimit -v "$memory"; timeout 60 "$t_build/measure-repair" "$1" >words 2>&1)
	[ $? -le 2 ] || t_fail "$1: $(cat words)"
	t_equal "$1: victim" precious "$(cat victim)"
	! grep -rq precious "$1" || t_fail "$1: it is in the archive"
}
if [ -x "$t_build/tests/unit/assemble/make-parts" ]; then
	tampered link.events second/0.evt ln -s "$work/victim"
	tampered link.keeper second/keeper ln -s "$work/victim"
	tampered link.journal second/journal ln -s "$work/victim"
	tampered pipe.journal second/journal mkfifo
	tampered pipe.keeper second/keeper mkfifo
	tampered pipe.owner second/owner mkfifo
	tampered pipe.job job mkfifo

	# Files may be of any size, most of it nothing.
	for file in owner keeper journal 0.evt; do
		tampered "huge.$file" second/$file truncate -s 16G
	done

	# Names are not obeyed by the terminal that they come to.
	mkdir loud
	"$t_build/tests/unit/assemble/make-parts" loud $$ "$(awk '{ print $22 }' /proc/$$/stat)" "$(hostname)"
	mv loud/.parts/second loud/.parts/$'\e[2J\nmeasure: all is well'
	"$t_build/measure-repair" loud 2>words
	t_equal 'loud: status' 2 $?
	t_equal 'loud: one line' 1 "$(t_lines words)"
	! grep -q $'\e' words || t_fail "loud: $(cat -v words)"

	# Nor does a new run wait for what is where it wants to be.
	mkdir old
	"$t_build/tests/unit/assemble/make-parts" old 999999999 1 "$(hostname)"
	rm old/.parts/second/owner
	mkfifo old/.parts/second/owner
	timeout 60 "$measure" -o old true
	t_equal 'a pipe in an old run' 0 $?
fi

# The rest is about a second user, whom only root can be.
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || t_end
other="setpriv --reuid=nobody --regid=nogroup --clear-groups"
chmod 755 "$work"
$other test -x "$measure" || t_end

# Programs with more rights than their user: not recorded, and nothing of ours in them.
cp "$behave" "$work/suid" && chown nobody suid && chmod 4755 suid
cp "$behave" "$work/sgid" && chgrp nogroup sgid && chmod 2755 sgid
for program in suid sgid; do
	"$measure" -o $program.run ./$program exit 3 2>words
	t_equal "$program: status" 3 $?
	grep -q 'set-uid or has capabilities' words || t_fail "$program: $(cat words)"
	[ ! -e $program.run ] || t_fail "$program: a run directory"
done
cp "$(command -v cat)" cat && chown nobody cat && chmod 4755 cat
if ./cat /proc/self/status | grep -q "^Uid:.*[[:space:]]$(id -u nobody)[[:space:]]"; then
	t_equal 'set-uid child' 0 "$("$measure" -o child.run sh -c \
		'MEASURE_PART=/ LD_PRELOAD='"$t_build"'/.libs/libmeasure.so ./cat /proc/self/maps' 2>/dev/null |
		grep -c libmeasure)"
fi
mkdir theirs && chown nobody theirs && cp "$behave" theirs/capable
if setcap cap_net_raw+ep theirs/capable 2>/dev/null; then
	(cd theirs && $other "$measure" -o run ./capable exit 3 2>"$work/words")
	grep -q 'set-uid or has capabilities' words || t_fail "capabilities: $(cat words)"
	[ ! -e theirs/run ] || t_fail 'capabilities: a run directory'
fi

# What another user has put where our names would be, in a folder for everybody.
mkdir shared elsewhere && chmod 1777 shared
$other mkdir -m 777 shared/empty
$other ln -s "$work/elsewhere" shared/link
for name in empty link; do
	"$measure" -o shared/$name sh -c 'exit 4' 2>words
	t_equal "$name: status" 4 $?
	t_equal "$name: one line" 1 "$(t_lines words)"
done
t_equal 'planted' '' "$(find shared/empty/ elsewhere -mindepth 1)"
ranked()
{
	env SLURM_JOB_ID=4711 SLURM_STEP_ID=1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_LOCALID=0 \
		SLURM_STEP_TASKS_PER_NODE=1 "$measure" -o shared/job "$@"
}
ranked sh -c 'ls -A shared' >names
agreement=$(grep '^\.measure-' names)
rm -rf shared/job
$other mkdir -m 777 "shared/$agreement"
echo "$work/elsewhere" | $other tee "shared/$agreement/job" >/dev/null
ranked sh -c 'exit 5' 2>words
t_equal 'agreement: status' 5 $?
t_equal 'agreement: one line' 1 "$(t_lines words)"
t_equal 'agreement: elsewhere' '' "$(ls -A elsewhere)"

# A segment is for the same user only, even where the umask lets everybody come to the socket.
if $other env PATH=/usr/bin:/bin python3 -c '' 2>/dev/null; then
	(umask 000 && exec "$measure" -o open "$behave" long >out) &
	t_wait 20 grep -q ready out
	part=$(echo "$work"/open/.parts/*/rendezvous)
	got=$($other env PATH=/usr/bin:/bin python3 - "$(dirname "$part")" 2>&1 <<'P'
import os, socket, sys
os.chdir(sys.argv[1])
connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
connection.settimeout(30)
try:
    connection.connect("rendezvous")
    print(len(connection.recvmsg(100, 1000)[0]))
except (ConnectionError, PermissionError):
    print(0)
P
	)
	t_equal 'rendezvous: bytes for another user' 0 "$got"
	pkill -P $! -x behave
	wait
	t_sound "$work/open"
fi
t_end
