#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs, directories and a machine that are not as they should be give one clear line, and the program runs (for mistakes see mistakes.sh)
. "$(dirname "$0")/../lib.sh"
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

bad missing 127 '' 'no-such-program: cannot execute: No such file' no-such-program
mkdir -m 0 closed # to all but root
PATH=$work/closed:$PATH bad missing-closed 127 '' 'no-such-program: cannot execute: No such file' no-such-program
rmdir closed
echo text >plain
printf '#!/no/such/interpreter\n' >script
chmod +x script
bad interpreter 127 '' './script: ' ./script
SLURM_JOB_ID=1 SLURM_STEP_ID=1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 bad output-of-job 3 ran \
	'/proc: cannot create a directory: .*: choose another --output' -o /proc/x sh -c 'echo ran; exit 3'
# A path is a line in files of ours; the program's name is made to fit.
printf '#!/bin/sh\necho ran\nexit 3\n' >shebang && chmod +x shebang
mkdir 'line
break' && mv shebang 'line
break/a
b'
for rank in none 0; do
	status=$(cd 'line
break' || exit 1
		[ $rank = none ] || export SLURM_JOB_ID=1 SLURM_STEP_ID=1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1
		MEASURE_OUTPUT=to/%p "$measure" './a
b' >../out 2>../err || echo $?)
	t_equal "path with a line break, rank $rank: status" 2 "$status"
	t_equal "path with a line break, rank $rank: lines on stderr" 1 "$(t_lines err)"
	grep -q "^measure: MEASURE_OUTPUT: 'to/%p' expands to a path that .* a line break" err ||
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

echo 'int main(void) { return 9; }' >static.c
if ${CC:-cc} -static -o static static.c 2>/dev/null; then
	bad static 9 '' '\./static: is linked statically' ./static
fi

# An adapter for its MPI library there is not.
if [ -e "$t_build/.libs/libmeasure-mpi.so" ]; then
	echo 'int PMPI_Init(void) { return 0; }' >library.c
	printf '#include <stdio.h>\nint PMPI_Init(void);\nint main(void) { puts("ran"); return 3 + PMPI_Init(); }\n' >uses.c
	${CC:-cc} -shared -fPIC -Wl,-soname,libmpi.so.99 -o libmpi.so.99 library.c && ${CC:-cc} -o uses uses.c ./libmpi.so.99 -Wl,-rpath,"$work" ||
		t_fail 'other MPI: does not compile'
	MEASURE_QUIET=no "$measure" -o of-other-mpi ./uses >out 2>err
	t_equal 'other MPI: status' 3 $?
	t_equal 'other MPI: stdout' ran "$(cat out)"
	t_equal 'other MPI: lines about it' 1 "$(grep -c -E \
		'^measure: adapter mpi: built for libmpi[^ ]*( and libmpi[^ ]*)?, but the program uses libmpi\.so\.99: .*: recording without it$' err)"
	t_sound "$work/of-other-mpi"
	bad other-mpi-strict 2 '' 'adapter mpi: built for .*: not starting the program$' --strict -o strictly ./uses
fi

for policy in '' --lenient; do
	status=2 output=
	[ -z "$policy" ] || status=3 output=ran
	bad "output-file $policy" $status "$output" "$work/plain: exists but is not a Measure run directory" -o plain $policy \
		sh -c 'echo ran; exit 3'
	bad "output-below-file $policy" $status "$output" "$work/plain/x: cannot create" -o plain/x $policy sh -c 'echo ran; exit 3'
	mkdir mine
	echo precious >mine/file
	bad "output-foreign $policy" $status "$output" "$work/mine: exists but is not a Measure run directory" -o mine $policy \
		sh -c 'echo ran; exit 3'
	t_equal 'foreign directory' precious "$(cat mine/file)"
	rm -r mine
done
MEASURE_LIBDIR=/nowhere bad libdir 3 ran "MEASURE_LIBDIR: '/nowhere' does not contain libmeasure.so" --lenient sh -c 'echo ran; exit 3'
bad output-proc 3 ran '/proc/x: cannot create' -o /proc/x sh -c 'echo ran; exit 3'

# Help and version are for stdout.
"$measure" --help >out 2>err
t_equal 'help: status' 0 $?
t_equal 'help: stderr' '' "$(cat err)"
grep -q -e --output out || t_fail 'help: no options'
for tool in measure measure-analyze measure-check measure-compare measure-convert measure-profile measure-repair measure-report measure-sync measure-top; do
	t_equal "$tool: lines of help wider than a terminal, or with blanks at the end" '' \
		"$("$t_build/$tool" --help | grep -E '.{80}|[[:blank:]]$')"
done
"$measure" --help-config | grep -q '^MEASURE_CLOCK = auto' || t_fail 'help-config: no clock'
"$measure" --version | grep -q -E '^measure \(Measure\) [0-9]' || t_fail 'version'
t_end
