#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: bad options, programs and directories give one clear line, and the program runs where one was named
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# bad NAME STATUS OUTPUT PATTERN ARGUMENT...: measure's status and stdout, one line that matches on stderr
bad()
{
	name=$1 status=$2 output=$3 pattern=$4
	shift 4
	"$measure" "$@" >out 2>err
	t_equal "$name: status" "$status" $?
	t_equal "$name: stdout" "$output" "$(cat out)"
	t_equal "$name: lines on stderr" 1 "$(t_lines err)"
	grep -q -E "^measure: $pattern" err || t_fail "$name: stderr: '$(cat err)'"
	t_equal "$name: left over" '' "$(find . -name 'measure-*' -o -name '.measure-*')"
}

printf '#!/bin/sh\necho ran\nexit 3\n' >srun && chmod +x srun
bad option 3 ran '--nonsense: unknown option' --nonsense sh -c 'echo ran; exit 3'
bad letter 3 ran '-x: unknown option' -x sh -c 'echo ran; exit 3'
bad option-alone 2 '' '--nonsense: unknown option' --nonsense
bad value 3 ran "--buffer: 'lots' is not a size" --buffer lots sh -c 'echo ran; exit 3'
bad choice 3 ran "--spool: 'never' is not one of" --spool=never sh -c 'echo ran; exit 3'
bad chunk 3 ran '--chunk: must be' --chunk 1K sh -c 'echo ran; exit 3'
bad clock 3 ran "--clock: 'sundial' " --clock sundial sh -c 'echo ran; exit 3'
bad adapter 3 ran "--adapters: 'xyz' is not one of auto, none, " --adapters +xyz sh -c 'echo ran; exit 3'
bad no-value 2 '' '-o: needs a value' -o
bad no-program 2 '' 'no program named'
bad missing 127 '' 'no-such-program: cannot be run: No such file' no-such-program
mkdir -m 0 closed # to all but root
PATH=$work/closed:$PATH bad missing-closed 127 '' 'no-such-program: cannot be run: No such file' no-such-program
rmdir closed
bad missing-path 127 '' './no/such: cannot be run: No such file' ./no/such
echo text >plain
bad not-executable 126 '' './plain: cannot be run: Permission denied' ./plain
bad directory 126 '' '/tmp: cannot be run: Permission denied' /tmp
printf '#!/no/such/interpreter\n' >script
chmod +x script
bad interpreter 127 '' './script: ' ./script
MEASURE_CLOCK=sundial bad environment 3 ran "MEASURE_CLOCK: 'sundial' cannot be used: known are auto" sh -c 'echo ran; exit 3'
MEASURE_CHUNK=1K bad environment-chunk 3 ran 'MEASURE_CHUNK: must be' sh -c 'echo ran; exit 3'
MEASURE_SPOOL=never bad environment-choice 3 ran "MEASURE_SPOOL: 'never' is not one of always|full|end" sh -c 'echo ran; exit 3'
MEASURE_ADAPTERS=+xyz bad environment-adapter 3 ran "MEASURE_ADAPTERS: 'xyz' is not one of" sh -c 'echo ran; exit 3'
MEASURE_MPI_GROUPS=-coll,+p2q bad environment-group 3 ran "MEASURE_MPI_GROUPS: 'p2q' is not one of all, auto" \
	sh -c 'echo ran; exit 3'
MEASURE_LIBDIR=/nowhere bad environment-libdir 3 ran "MEASURE_LIBDIR: '/nowhere' has no" sh -c 'echo ran; exit 3'
bad groups 3 ran "--pthread-groups: 'mutexes' is not one of" --pthread-groups=mutex,mutexes sh -c 'echo ran; exit 3'
SLURM_JOB_ID=1 SLURM_STEP_ID=1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 bad output-of-job 3 ran \
	'/proc: no directory can be made there: .*: choose another --output' -o /proc/x sh -c 'echo ran; exit 3'
# A path is a line in files of ours; the program's name is made to fit.
mkdir 'line
break' && cp srun 'line
break/a
b'
for rank in none 0; do
	status=$(cd 'line
break' || exit 1
		[ $rank = none ] || export SLURM_JOB_ID=1 SLURM_STEP_ID=1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1
		MEASURE_OUTPUT=to/%p "$measure" './a
b' >../out 2>../err || echo $?)
	t_equal "path with a line break, rank $rank: status" 3 "$status"
	t_equal "path with a line break, rank $rank: lines on stderr" 1 "$(t_lines err)"
	grep -q "^measure: MEASURE_OUTPUT: 'to/%p' gives a path that .* a line break in it" err ||
		t_fail "path with a line break, rank $rank: stderr: '$(cat err)'"
	t_equal "path with a line break, rank $rank: left over" 'a
b' "$(ls -A 'line
break')"
done
"$measure" -o 'named-%p' 'line
break/a
b' >out 2>err
t_equal 'name with a line break: status' 3 $?
t_equal 'name with a line break: stderr' '' "$(cat err)"
t_wait 20 test ! -e named-a_b/.parts
t_sound "$work/named-a_b"
bad launcher 3 ran 'srun: what it starts is not recorded: put measure behind it' -o launcher ./srun
MEASURE_BUFFER=lots bad environment-value 3 ran "MEASURE_BUFFER: 'lots'" sh -c 'echo ran; exit 3'

echo 'int main(void) { return 9; }' >static.c
if ${CC:-cc} -static -o static static.c 2>/dev/null; then
	bad static 9 '' '\./static: is linked statically' ./static
fi

bad output-file 3 ran "$work/plain: is there and no run directory" -o plain sh -c 'echo ran; exit 3'
bad output-below-file 3 ran "$work/plain/x: cannot be made" -o plain/x sh -c 'echo ran; exit 3'
mkdir mine
echo precious >mine/file
bad output-foreign 3 ran "$work/mine: is there and no run directory" -o mine sh -c 'echo ran; exit 3'
t_equal 'foreign directory' precious "$(cat mine/file)"
bad output-proc 3 ran '/proc/x: cannot be made' -o /proc/x sh -c 'echo ran; exit 3'

# Help and version are for stdout.
"$measure" --help >out 2>err
t_equal 'help: status' 0 $?
t_equal 'help: stderr' '' "$(cat err)"
grep -q -e --output out || t_fail 'help: no options'
for tool in measure measure-check measure-repair measure-sync; do
	t_equal "$tool: lines of help wider than a terminal, or with blanks at the end" '' \
		"$("$t_build/$tool" --help | grep -E '.{80}|[[:blank:]]$')"
done
"$measure" --help-config | grep -q '^MEASURE_CLOCK = auto' || t_fail 'help-config: no clock'
"$measure" --version | grep -q -E '^measure \(Measure\) [0-9]' || t_fail 'version'
t_end
