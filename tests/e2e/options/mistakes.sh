#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: typical mistakes on the command line and in the environment: one line with the remedy, exit status 2, and nothing is run; with --lenient it is
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
PATH=$t_build:$PATH
printf '#!/bin/sh\ntouch "%s/started"\nexit 3\n' "$work" >app
cp app srun
chmod +x app srun
mkdir photos
echo precious >photos/file
echo text >notes.txt
printf 'exclude a\nexclud b\n' >typo.filter

# A row is a mistake: the tool's exit status; the whole line on stderr but for the tool's name, as a pattern of the
# shell; the command. With a + behind the status the program runs with --lenient.
table()
{
	cat <<'END'
2  | --bufer: unknown option: did you mean --buffer?                          | measure --bufer 64M ./app
2+ | --outptu: unknown option: did you mean --output?                         | measure --outptu=run1 ./app
2+ | --nonsense: unknown option: see measure --help                           | measure --nonsense ./app
2+ | --metr: ambiguous: one of --metrics, --metric-interval                   | measure --metr=PAPI_TOT_INS ./app
2+ | -x: unknown option: see measure --help                                   | measure -x ./app
2  | -output: did you mean --output?                                          | measure -output run1 ./app
2  | --output: needs a value: see measure --help                              | measure --output
2  | no program given: './app' was taken as the value of --output                       | measure -o ./app
2  | no program given: see measure --help                                     | measure
2+ | --dry-run: takes no value                                                | measure --dry-run=yes ./app
2+ | --strict: 'perhaps' is neither yes nor no                                | measure --strict=perhaps ./app
2+ | -n: requires --calibrate; to set the number of processes, use the launcher: mpirun -n 4 measure ./app | measure -n 4 ./app
2+ | --json: requires --calibrate                                            | measure --json ./app
2  | --runs: 'many' is not a number from 2 to 1000                            | measure --calibrate -n many ./app
2+ | --buffer: 'lots' is not a size (512K, 64M, 1.5G, auto)                   | measure --buffer lots ./app
2+ | --buffer: '64MX' is not a size (512K, 64M, 1.5G, auto)                   | measure -b 64MX ./app
2+ | --chunk: '1K' is not a multiple of 4K from 256K to 16M                | measure --chunk 1K ./app
2+ | --patience: '1.5s' is not a whole number of seconds (10, 10s, 2min)      | measure --patience=1.5s ./app
2+ | --metric-interval: '0' is not between 1 millisecond and 1 hour           | measure --metric-interval=0 ./app
2+ | --flush-interval: 'soon' is not a time (1, 500ms)                      | measure --flush-interval=soon ./app
2+ | --snapshot-signal: 'USR3' is not one of none, USR1, *: did you mean USR1? | measure --snapshot-signal=USR3 ./app
2+ | --snapshot-signal: '9' is not one of none, USR1, * nor the number of one of these or of a real-time signal | measure --snapshot-signal=9 ./app
2+ | --snapshot-if: 'step > 2s' does not begin with phase=NAME > or iteration=NAME > ('phase=step > 1.5 * median') | measure --snapshot-if='step > 2s' ./app
2+ | --snapshot-if: 'phase=a > 3' does not end with a number of at least 1 * median, or a time (1.5 * median, 2s, 500ms) | measure --snapshot-if='phase=a > 3' ./app
2+ | --sync-interval: 'often' is not a time (10, 500ms, 1min)                 | measure --sync-interval=often ./app
2+ | --overhead: '500%' is neither off nor a percentage above 0 and at most 100 (5, 0.5%) | measure --overhead=500% ./app
2+ | --sample: 'fast' is neither off nor a number of samples per second, 1 to 10000 (997, wall:100) | measure --sample=fast ./app
2+ | --sample: '20000' is neither off nor a number of samples per second, 1 to 10000 (997, wall:100) | measure --sample 20000 ./app
2+ | --spool: 'alway' is not one of always|full|end|phase: did you mean always? | measure --spool=alway ./app
2+ | --keep: '60' is neither all nor a time (60s, 10min) nor a size (1G)       | measure --keep=60 ./app
2+ | --keep: 'x' is neither all nor a time (60s, 10min) nor a size (1G)        | measure --keep=x ./app
2+ | --keep: '0M' is neither all nor a time (60s, 10min) nor a size (1G)       | measure --keep=0M ./app
2+ | --profile: 'maybe' is neither yes nor no                                 | measure --profile=maybe ./app
2+ | --spool: 'end' cannot be combined with --profile or --keep                | measure --profile --spool=end ./app
2+ | MEASURE_KEEP: 'forever' is neither all nor a time (60s, 10min) nor a size (1G) | MEASURE_KEEP=forever measure ./app
2+ | --clock: 'tcs' cannot be used: available are *: did you mean tsc?            | measure --clock tcs ./app
2+ | --adapters: 'pthreads' is not one of auto, none, *: did you mean pthread? | measure -a +pthreads ./app
2+ | --mpi-groups: 'p2q' is not one of all, auto, *: did you mean p2p?        | measure --mpi-groups=-coll,+p2q ./app
2+ | --starpu-groups: 'tasks' is not one of *: did you mean task?               | measure --starpu-groups=-tasks ./app
2+ | --python-groups: 'functons' is not one of *: did you mean functions?        | measure --python-groups=functons ./app
2+ | --pthread-groups: 'mutexes' is not one of *: did you mean mutex?         | measure --pthread-groups=mutexes ./app
2+ | --metrics: rusage:ru_minfl: unknown metric; similar names: ru_minflt, * | measure -m rusage:ru_minfl ./app
2+ | --metrics: rusag:ru_minflt: unknown metric source; available are *: did you mean rusage? | measure -m rusag:ru_minflt ./app
2+ | --metrics: ./libnone.so:used: no such file                      | measure -m ./libnone.so:used ./app
2+ | no.filter: No such file or directory: *                                  | measure -f no.filter ./app
2+ | typo.filter:2:1: *exclud*                                                | measure --filter=typo.filter ./app
2+ | --exclude: 'fil' is not a condition: name, mangled, file, *                 | measure --exclude 'fil=*.c' ./app
2+ | */photos: exists but is not a Measure run directory: choose another --output | measure -o photos ./app
2+ | */notes.txt: exists but is not a Measure run directory: choose another --output | measure -o notes.txt ./app
2+ | */notes.txt/run: cannot create: Not a directory: choose another --output | measure -o notes.txt/run ./app
2+ | srun: cannot record the processes that it starts: put measure after it: srun ... measure PROGRAM | measure ./srun -n 4 ./app
2+ | MEASURE_OUTPT: unknown variable: did you mean MEASURE_OUTPUT?            | MEASURE_OUTPT=run1 measure ./app
2+ | MEASURE_SPOOL: 'never' is not one of always|full|end|phase               | MEASURE_SPOOL=never measure ./app
2+ | MEASURE_BUFFER: 'lots' is not a size (512K, 64M, 1.5G, auto)             | MEASURE_BUFFER=lots measure ./app
2+ | MEASURE_LIBDIR: '/nowhere' does not contain libmeasure.so: *                 | MEASURE_LIBDIR=/nowhere measure ./app
127 | ./ap: cannot execute: No such file or directory: check the name and PATH    | measure ./ap
127 | ./ap: cannot execute: No such file or directory: check the name and PATH    | measure --calibrate -n 2 ./ap
127 | no-such-program: cannot execute: No such file or directory: check the name and PATH | measure no-such-program
126 | ./notes.txt: cannot execute: Permission denied: check the name and PATH     | measure ./notes.txt
126 | ./photos: cannot execute: is a directory                             | measure ./photos
2  | --jsn: unknown option: did you mean --json?                              | measure-check --jsn run1
2  | --relations: unknown relation 'mesage': did you mean message?              | measure-check --relations=+mesage run1
2  | run1: No such file or directory; name a directory or an .otf2 file       | measure-check run1
2  | --emit: 'event' is not one of offsets, events: did you mean events?      | measure-sync --emit=event run1 -o run2
2  | -o: needs a value: see measure-sync --help                               | measure-sync run1 -o
2  | no output given: use -o DIR or --in-place: see measure-sync --help | measure-sync run1
2  | --froce: unknown option: did you mean --force?                           | measure-repair --froce run1
2  | run1: cannot open: No such file or directory: name a run directory   | measure-repair run1
END
}

# run COMMAND: by the shell, with what is left by the one before it cleared away
run()
{
	rm -rf started measure-app-* measure-srun-* run1*
	(eval "$1") >out 2>err
	status=$?
}

# said PATTERN WHAT: one line, TOOL: PATTERN
said()
{
	t_equal "$2: lines on stderr" 1 "$(t_lines err)"
	line=$(cat err)
	# shellcheck disable=SC2053 # it is a pattern
	[[ ${line#*: } == $1 ]] || t_fail "$2: stderr: '$line', expected '$1'"
}

nr=0
while IFS= read -r row; do
	expected=${row%% *} rest=${row#* | }
	command=${rest##* | } pattern=${rest% | *}
	pattern=${pattern%"${pattern##*[! ]}"} # blanks at its end
	pattern=${pattern//[[]/\\[}
	run "$command"
	t_equal "$command: exit status" "${expected%+}" $status
	t_equal "$command: stdout" '' "$(cat out)"
	said "$pattern" "$command"
	[ ! -e started ] || t_fail "$command: the program was run"
	t_equal "$command: left over" '' "$(find . -name '*run1*' -o -name 'measure-*' -o -name '.measure-*')"
	nr=$((nr + 1))
	case $expected in
	*+) ;;
	*) continue ;;
	esac
	run "export MEASURE_LENIENT=yes; $command"
	t_equal "lenient: $command: exit status" 3 $status
	said "$pattern*" "lenient: $command"
	[ -e started ] || t_fail "lenient: $command: the program was not run"
done < <(table)
[ $nr -ge 30 ] || t_fail "only $nr mistakes"
echo "$nr mistakes"

# What can be recorded is.
run 'measure --lenient -o run1 --buffer=lots -a +pthreads -m rusag:x,rusage:ru_minflt --nonsense ./app'
t_equal 'lenient: exit status' 3 $status
t_equal 'lenient: lines' 4 "$(t_lines err)"
t_sound "$work/run1"
otf2-print -G run1/traces.otf2 | grep -q ru_minflt || t_fail 'lenient: the metric that there is was not recorded'

# All mistakes of one command are told at once, and --strict refuses them in spite of --lenient.
run 'measure --lenient --strict --clock tcs --chunk 1K -a +pthreads -m rusag:x ./app'
t_equal 'many: exit status' 2 $status
t_equal 'many: lines' 4 "$(t_lines err)"
[ ! -e started ] || t_fail 'many: the program was run'

# What depends on the machine never stops the program; --strict refuses it.
run 'measure -o /proc/x ./app'
t_equal 'machine: exit status' 3 $status
said '/proc/x: cannot create: *: choose another --output' machine
run 'measure --strict -o /proc/x ./app'
t_equal 'machine, strict: exit status' 2 $status
[ ! -e started ] || t_fail 'machine, strict: the program was run'
run 'MEASURE_STRICT=yes measure --strict=no -o /proc/x ./app'
t_equal 'machine, not strict after all: exit status' 3 $status

# Values as people write them; a value that may be left out is not the program.
# as OPTION VALUE NAME: what the option makes of it
as()
{
	t_equal "$*" "$3 = $2" "$(measure --dry-run $1 ./app 2>&1 | grep "^$3 = ")"
}
as '--buffer=1.5G' 1536M buffer
as '--buffer 64mb' 64M buffer
as '--patience=2min' 120 patience
as '--metric-interval 0.5s' 500 metric_interval
as '--spool=FULL' full spool
as '--sample' on sample
as '--sample 100' 100 sample
as '--sample=wall:1kHz' wall:1kHz sample
as '--overhead=5%' 5% overhead
as '--overhead 5%' 5% overhead
run 'measure --sample -o run1 ./app'
t_equal 'sample: exit status' 3 $status
t_sound "$work/run1"

# A variable of the program's own is no mistake.
run 'MEASURE_TEMPERATURE=1 MEASURE_CHECK=2 measure -o run1 ./app'
t_equal 'own variable: exit status' 3 $status
t_equal 'own variable: stderr' '' "$(cat err)"

# All ranks make the same mistake, and one tells it: of a launcher that ends the others, and of one that does not.
slurm()
{
	SLURM_JOB_ID=$$ SLURM_STEP_ID=1 SLURM_PROCID=$1 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=$1 SLURM_STEP_TASKS_PER_NODE=8 \
		measure "${@:2}" ./app
}
for rank in 7 6 5 4 3 2 1 0; do
	slurm $rank --bufer=1 || echo $? >>statuses &
done 2>err
wait
t_equal 'ranks: statuses' '2 2 2 2 2 2 2 2' "$(tr '\n' ' ' <statuses | sed 's/ $//')"
said '--bufer: unknown option: did you mean --buffer?' ranks
# One that is not rank 0 makes it alone.
slurm 3 --spol=full 2>err
said '--spol: unknown option: did you mean --spool?' 'rank 3'
if command -v mpirun >/dev/null && . "$t_tests/mpirun.sh" && mpirun -n 1 true >/dev/null 2>&1; then
	mpirun -n 8 "$t_build/measure" --bufer=1 ./app >out 2>err
	t_equal 'mpirun: lines' 1 "$(grep -c 'measure: --bufer: unknown option' err)"
fi
t_end
