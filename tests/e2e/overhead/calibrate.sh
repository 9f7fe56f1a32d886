#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure --calibrate runs a program as often as told, keeps one archive, its sums are right, and compensated times are those of measure-sync
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
unset MEASURE_RECORD
export MEASURE_EVENT_COSTS=$work/no_table
command -v python3 >/dev/null || t_skip 'no python3'

cat >program.sh <<'C'
#!/bin/sh
echo "$MEASURE_RECORD" >>runs
read word && echo "$word" >>words
echo output
sleep ${SLEEP:-0}
exit ${STATUS:-0}
C
chmod +x program.sh
echo input >input

"$measure" --calibrate -n 3 --json -o kept -- ./program.sh <input >json 2>err || t_fail "status $?: $(cat err)"
t_equal 'runs, one of them to warm up' 7 "$(t_lines runs)"
t_equal 'recorded runs' 3 "$(grep -c yes runs)"
t_equal 'standard input, each time from its start' 7 "$(grep -c input words)"
t_sound "$work/kept"
[ ! -e kept.calibrate ] || t_fail 'a scratch archive is left over'
[ ! -e kept.1 ] || t_fail 'more than one archive is left over'
python3 - <<'P' || t_fail "sums: $(cat json)"
import json, statistics
result = json.load(open('json'))
student = 18.2163  # 99.7 %, 2 degrees of freedom: sqrt(2) * p / sqrt(1 - p * p)
plain, recorded = result['seconds_without'], result['seconds_with']
for values, sums in ((plain, result['without']), (recorded, result['with']),
		([b - a for a, b in zip(plain, recorded)], result['difference'])):
	assert abs(statistics.mean(values) - sums['mean']) < 1e-8
	assert abs(student * statistics.stdev(values) / 3 ** 0.5 / sums['margin'] - 1) < 1e-4
assert abs(result['ratio'] - statistics.mean(recorded) / statistics.mean(plain)) < 1e-6
difference = result['difference']
assert result['significant'] == (abs(difference['mean']) > difference['margin'])
assert result['compensated'] == [] and '--calibrate-events' in result['not_compensated']
assert result['without']['failed'] == result['with']['failed'] == 0 and result['runs'] == 3
P

STATUS=3 "$measure" --calibrate -n 2 -o failing -- ./program.sh >out 2>err
t_equal 'status where runs fail' 1 $?
grep -q '2 of 2 runs without recording and 2 of 2 with it failed' err || t_fail "failed runs: $(cat err)"
grep -q '^  with recording ' out || t_fail "the table: $(cat out)"
if grep -q '^output' out; then t_fail "the program's output"; fi
t_equal 'no compensated times' 1 "$(grep -c '^No compensated times: .*--calibrate-events' out)"

# Compensated: by what measure-sync says of the archive that was kept.
cat >calls.c <<'C'
static volatile long sink;
__attribute__((noinline)) static void leaf(long n) { sink += n; }
int main(void)
{
	for (long i = 0; i < 1000000; i++)
		leaf(i);
	return 0;
}
C
cat >costs <<'TABLE'
processor of a test
FUNCTION_ENTER::none 1000:9:6:14:16 100000000:3:2:4:6
FUNCTION_LEAVE::none 1000:6:9:14:16 100000000:2:3:4:6
TABLE
if "${CC:-cc}" -O1 -finstrument-functions -o calls calls.c 2>err; then
	export MEASURE_EVENT_COSTS=$work/costs
	"$measure" --calibrate -n 6 --json -o compensated -- ./calls >json 2>err || t_fail "status $?: $(cat err)"
	[ ! -e compensated.compensated ] || t_fail 'a compensated archive is left over'
	for method in frequency classic; do
		"$t_build/measure-sync" --compensate=$method --json -o by_hand.$method compensated >$method.json 2>err ||
			t_fail "measure-sync: status $?: $(cat err)"
	done
	python3 - <<'P' || t_fail "compensated: $(cat json)"
import json, os, statistics
STUDENT = 5.376025 # 99.7 %, 6 runs
result = json.load(open('json'))
assert [one['method'] for one in result['compensated']] == ['frequency', 'classic']
assert 'not_compensated' not in result
for one in result['compensated']:
	spans = json.load(open(one['method'] + '.json'))['compensation']
	gain = spans['before'] - spans['after']
	assert gain > 0.0005
	assert abs(result['seconds_with'][-1] - one['seconds'][-1] - gain - result['seconds_behind_events'][-1]) < 1e-8
	assert 0 < result['seconds_behind_events'][-1] < result['seconds_with'][-1] - spans['before']
	assert all(a > b for a, b in zip(result['seconds_with'], one['seconds']))
	assert abs(statistics.mean(one['seconds']) - one['mean']) < 1e-8
	differences = [a - b for a, b in zip(one['seconds'], result['seconds_without'])]
	assert abs(statistics.mean(differences) - one['difference']['mean']) < 1e-8
	margin = STUDENT * statistics.stdev(differences) / 6 ** 0.5
	assert abs(margin / one['difference']['margin'] - 1) < 1e-4
	assert one['significant'] == (abs(one['difference']['mean']) > one['difference']['margin'])
# costs of the program itself, where they are known well enough and differ
took = [a - b for a, b in zip(result['seconds_with'], result['seconds_behind_events'])]
gain = statistics.mean(a - b for a, b in zip(took, result['compensated'][0]['seconds']))
misfits = [(a - b) / gain for a, b in zip(took, result['seconds_without'])]
factor, margin = statistics.mean(misfits), STUDENT * statistics.stdev(misfits) / 6 ** 0.5
assert ('costs' in result) == (factor - margin > 0.25 and factor + margin < 4)
is_fitted = 'costs' in result and abs(factor - 1) >= max(margin, 0.02)
assert os.path.exists('compensated/event-costs') == is_fitted
if 'costs' in result:
	assert abs(result['costs']['factor'] - factor) < 1e-3 and abs(result['costs']['margin'] - margin) < 1e-3
if is_fitted:
	numbers = [float(number) for number in open('compensated/event-costs').read().split('\n')[2].split()[1].split(':')]
	assert all(abs(a / b / factor - 1) < 1e-3 for a, b in zip(numbers[1:], (9, 6, 14, 16)))
print('costs of the program: %.2f +- %.2f, %s' % (factor, margin, 'written' if is_fitted else 'not written'))
P
	"$measure" --calibrate -n 2 -o compensated -- ./calls >out 2>err || t_fail "status $?: $(cat err)"
	t_equal 'a verdict' 1 "$(grep -c '^Compensated times ' out)"
	t_equal 'methods' 2 "$(grep -c -E '^  (frequency|classic) ' out)"
	export MEASURE_EVENT_COSTS=$work/no_table
fi

"$measure" --record no -o nothing ./program.sh >out
t_equal 'output without recording' output "$(cat out)"
[ ! -e nothing ] || t_fail 'recorded in spite of --record no'
PMIX_NAMESPACE=x OMPI_MCA_orte_hnp_uri=y OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=2 \
	"$measure" --calibrate ./program.sh 2>err
t_equal 'status behind a launcher' 2 $?
"$measure" --calibrate -n 1 ./program.sh 2>err
t_equal 'status for one run' 2 $?

# A job: measure is a word of it.
. "$t_tests/mpirun.sh"
if mpicc -o ring "$t_programs/mpi_ring.c" 2>/dev/null && mpirun -n 1 true 2>/dev/null; then
	"$measure" --calibrate -n 2 -o job -- mpirun -n 2 "$measure" ./ring >out 2>err || t_fail "job: $(cat err)"
	t_sound "$work/job"
	t_equal 'processes of the job' 2 "$(otf2-print -G job/traces.otf2 | grep -c '^LOCATION_GROUP ')"
fi
t_end
