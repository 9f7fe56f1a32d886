/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For totals.sh: phases and iterations, in each other, with recording off in one of them;
 * regions that are iterations by parameters of the program's own; a metric that is recorded at two
 * places. */
#include <measure.h>

MEASURE_PHASE_DEFINE(setup, "setup");
MEASURE_LOOP_DEFINE(step, "step");
MEASURE_LOOP_DEFINE(inner, "inner");
MEASURE_REGION_DEFINE(part, "part");

static volatile long sink;

static void do_part(int n)
{
	MEASURE_REGION_BEGIN(part);
	for (int i = 0; i < 100 * n; i++)
		sink += i;
	MEASURE_METRIC_INT64("level", "1", n);
	MEASURE_REGION_END(part);
}

/* The name makes it an iteration, the type does not matter. */
static void do_other(int n)
{
	MEASURE_REGION_BEGIN(part);
	if (n % 2 == 0)
		MEASURE_PARAMETER_INT64("iteration", n);
	else
		MEASURE_PARAMETER_UINT64("iteration", n);
	MEASURE_METRIC_INT64("level", "1", 10 * n); /* the same one, at another place */
	MEASURE_REGION_END(part);
}

int main(void)
{
	MEASURE_PHASE_BEGIN(setup);
	do_part(3);
	MEASURE_PHASE_END(setup);
	for (int i = 0; i < 20; i++) {
		MEASURE_ITERATION_BEGIN(step, i);
		do_part(i);
		for (int j = 0; j < 3; j++) {
			MEASURE_ITERATION_BEGIN(inner, j);
			do_part(j);
			MEASURE_ITERATION_END(inner);
		}
		if (i == 7)
			measure_recording_off();
		do_part(i);
		if (i == 7)
			measure_recording_on();
		MEASURE_ITERATION_END(step);
	}
	for (int i = 0; i < 4; i++)
		do_other(i);
	return 0;
}
