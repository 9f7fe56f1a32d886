#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: what summary and properties say of records, regions and what to leave out, counted once more
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

cat >work.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <time.h>

static volatile int sink;
__attribute__((noinline)) static void tiny(int n) { sink += n; }
__attribute__((noinline)) static void slow(void)
{
	struct timespec pause = {0, 20000};
	nanosleep(&pause, NULL);
}
static void *work(void *argument)
{
	for (int i = 0; i < 3000; i++)
		tiny(i);
	return argument;
}
int main(int argc, char **argv)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, argv);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 300; i++)
		slow();
	work(argv);
	if (argc > 1)
		raise(SIGKILL);
	return 0;
}
C
${CC:-cc} -O1 -g -pthread -finstrument-functions -o work work.c || t_skip 'no compiler'

# properties DIRECTORY: "NAME VALUE" of each, with those that measure-profile adds
properties()
{
	"$t_build/measure-profile" --properties "$1" || t_fail "$1: measure-profile ended with $?"
}

# Kinds and regions as properties and the summary have them, against a count of what otf2-print
# prints, kind by kind and both ways.
compare()
{
	otf2-print "$1/traces.otf2" | awk '/^[A-Z][A-Z0-9_]+ +[0-9]+ +[0-9]+/ { nr[$1]++ }
		END { for (kind in nr) print kind, nr[kind] }' | sort >"$1.kinds"
	properties "$1" >"$1.properties"
	awk '/^MEASURE::RECORDS::/ { sub(/.*::/, "", $1); print $1, $2 }' "$1.properties" | sort >"$1.counted"
	[ -s "$1.counted" ] || t_fail "$1: nothing was counted"
	diff "$1.kinds" "$1.counted" || t_fail "$1: kinds of records"
	t_equal "$1: exactly" exactly "$(awk '/^MEASURE::COUNTED / { print $2 }' "$1.properties")"
	t_equal "$1: all events" "$(awk '{ sum += $2 } END { print sum }' "$1.kinds")" \
		"$(awk '/^MEASURE::EVENTS / { print $2 }' "$1.properties")"
	t_equal "$1: bytes of files" "$(cat "$1"/traces/*.evt | wc -c)" \
		"$(awk '/^MEASURE::EVENT_BYTES / { print $2 }' "$1.properties")"

	otf2-print "$1/traces.otf2" | awk '/^ENTER/ { sub(/.*</, ""); sub(/>.*/, ""); nr[$0]++ }
		END { for (region in nr) print region, nr[region] }' | sort >"$1.regions"
	awk '/^MEASURE::TOP_REGION::/ { print $2, $3 }' "$1.properties" | sort >"$1.top"
	diff "$1.regions" "$1.top" || t_fail "$1: visits of regions"
}

"$measure" -o plain ./work
t_sound "$work/plain"
compare plain
awk '/^Records/ { on = 1; next } /^$/ { on = 0 } on && $2 ~ /^[0-9]/ { gsub(/,/, ""); print $1, $2 }' \
	plain/summary.txt | sort >plain.summary
awk '/^MEASURE::RECORDS::/ { print $2, $3 }' plain.properties | sort | diff - plain.summary ||
	t_fail "summary and properties differ: $(cat plain/summary.txt)"

# Files of one chunk have a header of 18 bytes and an end of 2; all else is records.
bytes=$(awk '/^MEASURE::RECORDS::/ { sum += $3 } END { print sum }' plain.properties)
t_equal 'bytes of records' "$(cat plain/traces/*.evt | wc -c)" $((bytes + 20 * $(ls plain/traces/*.evt | wc -l)))

# What to leave out: only what is called often and is short.
grep -v '#' plain/suggested.filter >rules
printf '%s\n' SCOREP_REGION_NAMES_BEGIN '  EXCLUDE tiny' SCOREP_REGION_NAMES_END | diff - rules ||
	t_fail "another filter: $(cat plain/suggested.filter)"
grep -q 'suggested.filter excludes 1 function' plain/summary.txt || t_fail 'the summary does not name it'
tiny=$(otf2-print plain/traces.otf2 | grep -c -E '^(ENTER|LEAVE) .*"tiny"')
t_equal 'tiny' 18000 "$tiny"
grep -q "^  18,000 events (9[0-9.]* %)" plain/summary.txt || t_fail "saving: $(cat plain/summary.txt)"
grep -q "^# 18000 of [0-9]* events" plain/suggested.filter || t_fail "saving: $(cat plain/suggested.filter)"

# Those that timed themselves: by kind, the samples are the sum of their buckets, and the
# job's histogram is the sum of the threads'.
grep '^MEASURE::SELF_TIMING::FUNCTION_' plain.properties | awk '{ for (i = 5; i <= NF; i++) { split($i, pair, ":")
	sum += pair[2]; least += pair[1] * pair[2] } nr += $2; ticks += $4 }
	END { exit !(NR == 2 && nr > 4 && nr == sum && least <= ticks) }' ||
	t_fail "self-timing: $(grep SELF_TIMING plain.properties)"
otf2-print -G plain/traces.otf2 | awk -F'"' '/^LOCATION_PROPERTY.*MEASURE::SELF_TIMING/ { split($6, v, " "); nr += v[1] }
	END { print nr }' >threads.samples
t_equal 'samples of threads' "$(awk '/^MEASURE::SELF_TIMING/ { sum += $2 } END { print sum }' plain.properties)" \
	"$(cat threads.samples)"
cost=$(awk '/^MEASURE::COST_OF_FUNCTION_EVENT/ { print $2 * 1e9 }' plain.properties)
awk -v cost="$cost" 'BEGIN { exit !(cost > 2 && cost < 20000) }' || t_fail "an event costs '$cost' ns"
awk -v cost="$cost" '/^MEASURE::EVENTS / { events = $2 } /^MEASURE::COST_OF_ALL/ { all = $2 * 1e9 }
	END { exit !(all > 0.9 * events * cost && all < 10 * events * cost) }' plain.properties || t_fail 'cost of all events'
grep -q '^  about .*s of processor time, of .*s used by the program: [0-9,.]* % more than without recording$' plain/summary.txt ||
	t_fail "cost: $(cat plain/summary.txt)"
grep -q 'and about .*s less processor time' plain/summary.txt || t_fail "saving: $(cat plain/summary.txt)"

# The promise is kept.
"$measure" --filter plain/suggested.filter -o filtered ./work
t_equal 'left by the filter' "$(($(awk '/^MEASURE::EVENTS / { print $2 }' plain.properties) - 18000))" \
	"$(otf2-print filtered/traces.otf2 | grep -c -E '^[A-Z_]+ +[0-9]+ +[0-9]+ ')"

("$measure" -o killed ./work yes) 2>/dev/null
compare killed

"$measure" -a none -o none ./work
compare none
grep -q 'unknown: too few events' none/summary.txt || t_fail 'a cost without events'
[ ! -e none/suggested.filter ] || t_fail 'a filter for a trace without functions'

. "$t_tests/mpirun.sh"
if mpicc -g -finstrument-functions -o ring "$t_programs/mpi_ring.c" 2>/dev/null && mpirun -n 1 true 2>/dev/null; then
	mpirun -n 3 "$measure" -o job ./ring || t_fail "the job ended with $?"
	t_sound "$work/job"
	compare job
fi
t_end
