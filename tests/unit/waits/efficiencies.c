/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: efficiencies and predictions are those of their definitions: worked examples, an
 * ideal network, windows, what-if; on random programs the products hold, computing <= ideal time <=
 * run time, and without a change the replay gives back the run time */
#include "config.h"

#include <math.h>
#include <string.h>

#include "../t_suite.h"
#include "analysis/efficiency/what_if.h"
#include "t_waits.h"

#define T_NEAR(a, b) CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-9)

static void work(uint32_t location, uint64_t from, uint64_t until, uint32_t region)
{
	T_ENTER(location, from, region);
	T_LEAVE(location, until, region);
}

/* Rank 2 waits for rank 1, which has waited for rank 0. */
static void chain(void)
{
	t_begin();
	work(0, 0, 100, T_WORK);
	t_send(0, 100, 100, 101, 1);
	work(1, 0, 40, T_SWEEP);
	t_receive(1, 40, 102, 102, 0);
	work(1, 102, 122, T_WORK);
	t_send(1, 122, 122, 123, 2);
	work(2, 0, 10, T_WORK);
	t_receive(2, 10, 124, 124, 1);
	t_read();
}

/* Run time of what has been read, with changes. */
static uint64_t predicted(const char *changes)
{
	char error[MEASURE_WHAT_IF_ERROR];
	struct measure_what_if what_if;
	const struct measure_efficiency_options options = {.what_if = &what_if};

	CU_ASSERT_TRUE_FATAL(measure_what_if_parse(&what_if, changes, error));
	t_find_efficiency(&options);
	measure_what_if_free(&what_if);
	return t_efficiency.prediction.run_ticks;
}

static void check_products(const struct measure_factors *factors)
{
	T_NEAR(factors->parallel, factors->balance * factors->communication);
	T_NEAR(factors->communication, factors->serialisation * factors->transfer);
}

/* ---------------------------------------------------------------------- ideal network --- */

static void test_chain(void)
{
	chain();
	CU_ASSERT_TRUE(t_efficiency.is_whole);
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 124);
	CU_ASSERT_EQUAL(t_efficiency.ideal_ticks, 120);
	T_NEAR(t_efficiency.factors.parallel, 170.0 / 372);
	T_NEAR(t_efficiency.factors.transfer, 120.0 / 124);
	T_NEAR(t_efficiency.factors.serialisation, 100.0 / 120);
	check_products(&t_efficiency.factors);
	/* rank 2 has waited 112 for rank 1, and that 60 for rank 0; the two receives took 2 each,
	 * the sends 1 */
	CU_ASSERT_EQUAL(t_efficiency.waited_for.location, 1);
	CU_ASSERT_EQUAL(t_efficiency.waited_for.ticks, 112);
	CU_ASSERT_EQUAL(t_efficiency.waited_for.all, 172);
	CU_ASSERT_EQUAL(t_waits.profile.paths[t_efficiency.waited_for.path].region, T_RECEIVE);
	CU_ASSERT_EQUAL(t_efficiency.transferred.region, T_RECEIVE);
	CU_ASSERT_EQUAL(t_efficiency.transferred.ticks, 4);
	CU_ASSERT_EQUAL(t_efficiency.transferred.all, 6);
	t_end();
}

/* In the run rank 1 came last to the second barrier, because it had been slow to leave the first
 * one; in an ideal network rank 0 does. */
static void test_barriers(void)
{
	static const uint64_t enter[] = {10, 40, 20, 30}, leave[] = {50, 80, 50, 50};

	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		work(i, 0, enter[i], T_WORK);
		t_collective(i, enter[i], leave[i], T_MPI_BARRIER, OTF2_COLLECTIVE_OP_BARRIER,
			OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
		t_collective(i, leave[i] + (i == 0 ? 25 : 10), 95, T_MPI_BARRIER,
			OTF2_COLLECTIVE_OP_BARRIER, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
		work(i, 95, 100 + i, T_WORK);
	}
	t_read();
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 103);
	CU_ASSERT_EQUAL(t_efficiency.ideal_ticks, 40 + 25 + 8);
	CU_ASSERT_EQUAL(predicted("latency=1x"), 103);
	t_end();
}

/* What returns at the first request does not need the others; with one that was done at once it
 * needs none. */
static void some(bool has_send)
{
	t_begin();
	T_ENTER(0, 10, T_IRECV);
	T_EVENT(MpiIrecvRequest, 0, 11, 1);
	T_EVENT(MpiIrecvRequest, 0, 12, 2);
	if (has_send)
		T_EVENT(MpiIsend, 0, 13, 3, T_WORLD, 0, 8, 3);
	T_LEAVE(0, 20, T_IRECV);
	T_ENTER(0, 100, T_WAITSOME);
	T_EVENT(MpiIrecv, 0, 498, 1, T_WORLD, 0, 8, 1);
	T_EVENT(MpiIrecv, 0, 499, 2, T_WORLD, 0, 8, 2);
	if (has_send)
		T_EVENT(MpiIsendComplete, 0, 499, 3);
	T_LEAVE(0, 500, T_WAITSOME);
	t_send(1, 180, 181, 182, 0);
	t_send(2, 400, 401, 402, 0);
	if (has_send)
		t_receive(3, 20, 25, 30, 0);
	t_read();
}

static void test_some(void)
{
	some(false);
	/* rank 0 goes on when rank 1 sends; rank 2, which is not there before, sends at 400 */
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 490);
	CU_ASSERT_EQUAL(predicted("network=ideal"), t_efficiency.ideal_ticks);
	CU_ASSERT_EQUAL(predicted("latency=1x"), t_efficiency.run_ticks);
	CU_ASSERT_EQUAL(t_efficiency.ideal_ticks, 400 - 10);
	t_end();
	some(true);
	CU_ASSERT_EQUAL(predicted("latency=1x"), t_efficiency.run_ticks);
	t_end();
}

/* ---------------------------------------------------------------------------- windows --- */

static void test_window(void)
{
	static const struct measure_efficiency_options whole = {.is_whole = true};

	t_begin();
	for (uint32_t i = 0; i < 2; i++) {
		work(i, 0, 50, T_WORK);
		work(i, 50, 100 + i, T_INIT);
		work(i, 100 + i, 200 + 50 * i, T_WORK);
		work(i, 300 + i, 400, T_FINALIZE);
		work(i, 400, 1000, T_WORK);
	}
	t_read();
	CU_ASSERT_FALSE(t_efficiency.is_whole);
	CU_ASSERT_EQUAL(t_efficiency.window.from, T_START + 101);
	CU_ASSERT_EQUAL(t_efficiency.window.until, T_START + 300);
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 199);
	/* outside of regions counts as computing, too */
	CU_ASSERT_EQUAL(t_efficiency.processes[0].useful, 199);
	CU_ASSERT_EQUAL(t_efficiency.processes[1].useful, 199);
	CU_ASSERT_EQUAL(t_efficiency.ideal_ticks, 199);
	t_find_efficiency(&whole);
	CU_ASSERT_TRUE(t_efficiency.is_whole);
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 1000);
	CU_ASSERT_EQUAL(t_efficiency.processes[1].useful, 1000 - 51 - 99);
	t_end();
}

/* A window that begins and ends inside of calls. */
static void test_cut_calls(void)
{
	struct measure_interval windows[3];
	const struct measure_replay_rules rules = {.windows = windows};
	const uint32_t masters[] = {0, 1, 2};
	struct measure_replay replay;
	uint64_t ends[3];

	chain();
	for (int i = 0; i < 3; i++)
		windows[i] = (struct measure_interval){T_START + 50, T_START + 110};
	measure_replay_start(&replay, &t_waits, masters, 3);
	/* rank 0: 50 ticks of work, a send, 9 ticks after the last event; rank 1 receives at 50 and
	 * works 8; rank 2 is in its receive all the time */
	CU_ASSERT_EQUAL(measure_replay_run(&replay, &rules, ends), 59);
	CU_ASSERT_EQUAL(ends[0], 59);
	CU_ASSERT_EQUAL(ends[1], 58);
	CU_ASSERT_EQUAL(ends[2], 0);
	CU_ASSERT_EQUAL(measure_replay_between(&replay, 0, &windows[0]), 59);
	measure_replay_free(&replay);
	t_end();
}

static void test_equal_windows(void)
{
	static const struct measure_efficiency_options four = {.nr_windows = 4};
	double sum = 0;

	chain();
	t_find_efficiency(&four);
	CU_ASSERT_EQUAL_FATAL(t_efficiency.nr_windows, 4);
	for (int i = 0; i < 4; i++) {
		const struct measure_part_of_run *window = &t_efficiency.windows[i];

		CU_ASSERT_EQUAL(window->interval.from, T_START + 31 * (uint64_t)i);
		CU_ASSERT_EQUAL(window->interval.until, T_START + 31 * (uint64_t)(i + 1));
		CU_ASSERT_EQUAL(window->nr_processes, 3);
		check_products(&window->factors);
		sum += window->factors.parallel;
	}
	T_NEAR(sum / 4, t_efficiency.factors.parallel);
	/* [0, 31): ranks 0 and 1 work, rank 2 until 10; [93, 124): 7 and 20 */
	T_NEAR(t_efficiency.windows[0].factors.parallel, (31 + 31 + 10) / 93.0);
	T_NEAR(t_efficiency.windows[0].factors.transfer, 1);
	T_NEAR(t_efficiency.windows[3].factors.parallel, 27 / 93.0);
	/* 7, the message takes none, 20 */
	CU_ASSERT_EQUAL(t_efficiency.windows[3].ideal_ticks, 27);
	CU_ASSERT_EQUAL(t_efficiency.windows[3].most, 1);
	t_end();
}

/* Two instances on rank 0, one on rank 1, which begins later; inside of it a nested one, which is
 * no window. Rank 2 has none. */
static void test_phases(void)
{
	static const struct measure_efficiency_options phases = {.has_phases = true};
	const struct measure_part_of_run *window;

	t_begin();
	T_ENTER(0, 10, T_PHASE);
	work(0, 10, 50, T_WORK);
	t_send(0, 50, 51, 52, 1);
	T_LEAVE(0, 60, T_PHASE);
	T_ENTER(0, 70, T_PHASE);
	work(0, 70, 80, T_WORK);
	T_LEAVE(0, 80, T_PHASE);
	T_ENTER(1, 20, T_PHASE);
	T_ENTER(1, 20, T_PHASE);
	T_LEAVE(1, 40, T_PHASE);
	t_receive(1, 40, 69, 70, 0);
	T_LEAVE(1, 90, T_PHASE);
	work(2, 0, 100, T_WORK);
	t_read();
	T_WAITED(LATE_SENDER, 1, 10);
	t_find_efficiency(&phases);
	CU_ASSERT_FALSE(t_efficiency.lacks_phases);
	CU_ASSERT_EQUAL_FATAL(t_efficiency.nr_windows, 2);
	window = &t_efficiency.windows[0];
	CU_ASSERT_EQUAL(window->region, T_PHASE);
	CU_ASSERT_EQUAL(window->nr_processes, 2);
	CU_ASSERT_EQUAL(window->interval.from, T_START + 10);
	CU_ASSERT_EQUAL(window->interval.until, T_START + 90);
	/* rank 0: 40 and 8; rank 1, which begins 10 later: 20, until 40 is sent, 20 more */
	T_NEAR(window->factors.parallel, (48 + 40) / 160.0);
	T_NEAR(window->factors.balance, 88.0 / 96);
	CU_ASSERT_EQUAL(window->ideal_ticks, 60);
	check_products(&window->factors);
	window = &t_efficiency.windows[1];
	CU_ASSERT_EQUAL(window->nr_processes, 1);
	CU_ASSERT_EQUAL(window->number, 1);
	T_NEAR(window->factors.parallel, 1);
	t_end();
	chain();
	t_find_efficiency(&phases);
	CU_ASSERT_TRUE(t_efficiency.lacks_phases);
	CU_ASSERT_EQUAL(t_efficiency.nr_windows, 0);
	t_end();
}

/* ----------------------------------------------------------------------------- hybrid --- */

static void test_hybrid_models(void)
{
	static const struct measure_hybrid_process processes[] = {{.nr_threads = 2,
									  .serial = 20,
									  .parallel = 50,
									  .in_parallel = 40 + 30,
									  .longest = 60,
									  .outside_mpi = 70},
		{.nr_threads = 2,
			.serial = 10,
			.parallel = 50,
			.in_parallel = 50 + 40,
			.longest = 60,
			.outside_mpi = 60}};
	const struct measure_hybrid hybrid = measure_hybrid_of(processes, 2, 100, 85);

	T_NEAR(hybrid.parallel, 0.475);
	T_NEAR(hybrid.process, 0.65);
	T_NEAR(hybrid.process_balance, 0.95);
	T_NEAR(hybrid.process_communication, 0.70);
	T_NEAR(hybrid.process_transfer, 0.85);
	T_NEAR(hybrid.process_serialisation, 0.85);
	T_NEAR(hybrid.thread, 0.825);
	T_NEAR(hybrid.serial_region, 0.925);
	T_NEAR(hybrid.parallel_region, 0.90);
	T_NEAR(hybrid.process + hybrid.thread - 1, hybrid.parallel);
	T_NEAR(hybrid.process_balance + hybrid.process_communication - 1, hybrid.process);
	T_NEAR(hybrid.process_transfer + hybrid.process_serialisation - 1,
		hybrid.process_communication);
	T_NEAR(hybrid.serial_region + hybrid.parallel_region - 1, hybrid.thread);
	T_NEAR(hybrid.balance, 47.5 / 60);
	T_NEAR(hybrid.communication, 0.60);
	T_NEAR(hybrid.mpi_balance, 65.0 / 70);
	T_NEAR(hybrid.mpi_communication, 0.70);
	T_NEAR(hybrid.mpi, 0.65);
	T_NEAR(hybrid.mpi_serialisation, 70.0 / 85);
	T_NEAR(hybrid.mpi_serialisation * hybrid.mpi_transfer, hybrid.mpi_communication);
	T_NEAR(hybrid.openmp, 0.475 / 0.65);
	T_NEAR(hybrid.openmp_balance * hybrid.openmp_communication, hybrid.openmp);
	CU_ASSERT_DOUBLE_EQUAL(hybrid.openmp_balance, 0.8526, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(hybrid.openmp_communication, 0.8571, 1e-4);
}

/* Parallel regions before MPI_Init or after MPI_Finalize: longer than the window. */
static void test_hybrid_outside(void)
{
	static const struct measure_hybrid_process fitting = {.nr_threads = 2,
		.parallel = 90,
		.in_parallel = 90 + 80,
		.longest = 90,
		.outside_mpi = 90};
	struct measure_hybrid_process process = fitting;

	CU_ASSERT_EQUAL(measure_hybrid_of(&process, 1, 90, 90).nr_threads, 2);
	process.longest = 91;
	CU_ASSERT_EQUAL(measure_hybrid_of(&process, 1, 90, 90).nr_threads, 0);
	process = fitting;
	process.serial = 1;
	CU_ASSERT_EQUAL(measure_hybrid_of(&process, 1, 90, 90).nr_threads, 0);
}

/* The two threads of one process: A works alone for 20, then both, with a barrier. */
static void test_hybrid_run(void)
{
	t_begin();
	work(T_A, 0, 20, T_WORK);
	T_ENTER(T_A, 20, T_PARALLEL);
	T_ENTER(T_A, 60, T_IMPLICIT);
	T_LEAVE(T_A, 70, T_IMPLICIT);
	T_LEAVE(T_A, 70, T_PARALLEL);
	T_ENTER(T_B, 20, T_PARALLEL);
	work(T_B, 20, 50, T_WORK);
	T_ENTER(T_B, 50, T_IMPLICIT);
	T_LEAVE(T_B, 70, T_IMPLICIT);
	T_LEAVE(T_B, 70, T_PARALLEL);
	work(T_A, 70, 100, T_WORK);
	t_read();
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 100);
	CU_ASSERT_EQUAL(t_efficiency.hybrid.nr_threads, 2);
	/* A: 50 alone and 40, B: 30 */
	T_NEAR(t_efficiency.hybrid.parallel, 120.0 / 200);
	T_NEAR(t_efficiency.hybrid.mpi, 1);
	T_NEAR(t_efficiency.hybrid.openmp, 0.6);
	T_NEAR(t_efficiency.hybrid.communication, 0.9);
	T_NEAR(t_efficiency.hybrid.serial_region, 1 - 25 / 100.0);
	T_NEAR(t_efficiency.hybrid.parallel_region, 1 - (50 - 35) / 100.0);
	t_end();
	chain();
	CU_ASSERT_EQUAL(t_efficiency.hybrid.nr_threads, 0);
	t_end();
}

/* A runs a task of 20 in the barrier of a parallel region of 100: that is time in the region. */
static void test_hybrid_tasks(void)
{
	t_begin();
	T_ENTER(T_A, 0, T_PARALLEL);
	T_EVENT(ThreadTaskCreate, T_A, 10, T_TEAM, 0, 1);
	T_ENTER(T_A, 30, T_IMPLICIT);
	T_EVENT(ThreadTaskSwitch, T_A, 40, T_TEAM, 0, 1);
	work(T_A, 40, 60, T_TASK);
	T_EVENT(ThreadTaskComplete, T_A, 60, T_TEAM, 0, 1);
	T_EVENT(ThreadTaskSwitch, T_A, 60, T_TEAM, 0, 0);
	T_LEAVE(T_A, 100, T_IMPLICIT);
	T_LEAVE(T_A, 100, T_PARALLEL);
	T_ENTER(T_B, 0, T_PARALLEL);
	T_ENTER(T_B, 100, T_IMPLICIT);
	T_LEAVE(T_B, 100, T_IMPLICIT);
	T_LEAVE(T_B, 100, T_PARALLEL);
	t_read();
	T_NEAR(t_efficiency.hybrid.parallel, (30 + 20 + 100) / 200.0);
	T_NEAR(t_efficiency.hybrid.process, 1);
	T_NEAR(t_efficiency.hybrid.serial_region, 1);
	T_NEAR(t_efficiency.hybrid.parallel_region, 0.75);
	t_end();
}

/* One process whose threads are of no parallel region: that its master thread waits for the other
 * one is no efficiency. Without the other one, it has a model. */
static void test_other_threads(void)
{
	t_begin();
	work(T_A, 0, 10, T_WORK);
	work(T_B, 10, 90, T_WORK);
	work(T_A, 90, 100, T_WORK);
	t_read();
	CU_ASSERT_FALSE(t_efficiency.has_model);
	CU_ASSERT_EQUAL(t_efficiency.factors.parallel, 0);
	CU_ASSERT_EQUAL(t_efficiency.nr_windows, 0);
	t_find_efficiency(&(struct measure_efficiency_options){.nr_windows = 4});
	CU_ASSERT_EQUAL(t_efficiency.nr_windows, 0);
	t_end();
	t_begin();
	work(T_A, 0, 10, T_WORK);
	work(T_A, 90, 100, T_WORK);
	t_read();
	CU_ASSERT_TRUE(t_efficiency.has_model);
	T_NEAR(t_efficiency.factors.parallel, 1);
	t_end();
}

/* ------------------------------------------------------------------------ scalability --- */

static void test_scalability(void)
{
	static const struct measure_work reference = {2, 100, 300e9, 250e9};
	static const struct measure_work work = {4, 125, 330e9, 287.5e9};
	static const struct measure_work bare = {4, 125, 0, 0};
	const struct measure_efficiency_options options = {.reference = &reference};
	struct measure_scalability found = measure_scalability_of(&reference, &work, false, 0.5);

	CU_ASSERT_DOUBLE_EQUAL(found.instructions, 0.9091, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(found.ipc, 0.9565, 1e-4);
	T_NEAR(found.frequency, 0.92);
	T_NEAR(found.computation, 0.8);
	T_NEAR(found.global, 0.4);
	T_NEAR(found.instructions * found.ipc * found.frequency, found.computation);
	found = measure_scalability_of(&reference, &work, true, 0.5);
	T_NEAR(found.computation, 1.6);
	T_NEAR(found.instructions * found.ipc * found.frequency, found.computation);
	found = measure_scalability_of(&reference, &bare, false, 0.5);
	CU_ASSERT_TRUE(found.is_known);
	T_NEAR(found.computation, 0.8);
	T_NEAR(found.ipc, 0);
	chain();
	T_NEAR(t_efficiency.work.seconds * 1e9, 170);
	CU_ASSERT_EQUAL(t_efficiency.work.nr_processes, 3);
	CU_ASSERT_FALSE(t_efficiency.scalability.is_known);
	t_find_efficiency(&options);
	CU_ASSERT_TRUE(t_efficiency.scalability.is_known);
	CU_ASSERT_DOUBLE_EQUAL(t_efficiency.scalability.computation, 100 / 170e-9, 1);
	t_end();
}

/* ---------------------------------------------------------------------------- what if --- */

static void test_what_if(void)
{
	chain();
	CU_ASSERT_EQUAL(predicted("latency=1x"), 124);
	CU_ASSERT_EQUAL(predicted("network=ideal"), 120);
	CU_ASSERT_EQUAL(t_efficiency.prediction.ideal_ticks, 120);
	/* rank 0 sends at 50: rank 1 has it at 52 and sends at 72, rank 2 has that at 74 */
	CU_ASSERT_EQUAL(predicted("rank:0=0.5x"), 74);
	CU_ASSERT_EQUAL(t_efficiency.prediction.ideal_ticks, 70);
	T_NEAR(t_efficiency.prediction.factors.balance, 120.0 / 180);
	check_products(&t_efficiency.prediction.factors);
	/* rank 1 sweeps before its receive only: then it waits */
	CU_ASSERT_EQUAL(predicted("region:sweep=0.5x"), 124);
	T_NEAR(t_efficiency.prediction.factors.balance, 150 / 300.0);
	CU_ASSERT_EQUAL(predicted("region:sweep=4x"), 124 + 160 - 100);
	/* 17 of the 20 ticks of rank 1 stay where all take 0.85 x: 85 + 2 + 17 + 2 */
	CU_ASSERT_EQUAL(predicted("compute=0.85x"), 106);
	CU_ASSERT_EQUAL(predicted("rank:*=0.85x"), 106);
	CU_ASSERT_EQUAL(
		predicted("compute=balanced network=ideal"), t_efficiency.prediction.ideal_ticks);
	T_NEAR(t_efficiency.prediction.factors.balance, 171.0 / 171);
	/* the mean is 43 and 1/3; work of ranks 0, 1, 2 is 100, 20, 10 */
	predicted("region:work=balanced");
	T_NEAR(t_efficiency.prediction.factors.balance, (43 + 83 + 43) / (3.0 * 83));
	/* the two receives took 2 ticks each */
	CU_ASSERT_EQUAL(predicted("latency=2x"), 128);
	CU_ASSERT_EQUAL(predicted("latency=5ns"), 130);
	T_NEAR(t_efficiency.prediction.network.latency, 2e-9);
	t_end();
}

static void test_language(void)
{
	static const char *const wrong[] = {"", "latency", "latency=", "latency=1", "latency=1y",
		"latency=-1x", "latency=nanx", "latency=infx", "latency=1G", "latency=balanced",
		"bandwidth=0x", "bandwidth=2us", "network=fast", "rank:=2x", "rank:x=2x",
		"rank:1=2us", "rank:99999999999=2x", "region:=2x", "region:a", "sweep=2x",
		"compute:3=2x", "latency=1x nonsense"};
	char error[MEASURE_WHAT_IF_ERROR];
	struct measure_what_if what_if;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		error[0] = 0;
		CU_ASSERT_FALSE(measure_what_if_parse(&what_if, wrong[i], error));
		CU_ASSERT_PTR_NOT_NULL(strstr(error, "--what-if: '"));
		CU_ASSERT_PTR_NULL(strchr(error, '\n'));
		measure_what_if_free(&what_if);
	}
	CU_ASSERT_TRUE(measure_what_if_parse(&what_if,
		" latency=2.5us bandwidth=10GB/s,region:operator==0.8x rank:3=balanced ", error));
	CU_ASSERT_EQUAL_FATAL(what_if.nr_changes, 4);
	T_NEAR(what_if.changes[0].value * 1e6, 2.5);
	CU_ASSERT_TRUE(what_if.changes[0].is_absolute);
	T_NEAR(what_if.changes[1].value, 10e9);
	CU_ASSERT_STRING_EQUAL(what_if.changes[2].name, "operator=");
	CU_ASSERT_EQUAL(what_if.changes[3].rank, 3);
	CU_ASSERT_TRUE(what_if.changes[3].is_balanced);
	measure_what_if_free(&what_if);
}

static void test_check(void)
{
	static const char *const wrong[] = {"region:nothing=2x", "rank:5=2x"};
	static const char *const right[] = {"region:wo*=2x", "rank:4=2x", "rank:*=2x"};
	char error[MEASURE_WHAT_IF_ERROR];
	struct measure_what_if what_if;

	chain();
	for (size_t i = 0; i < 2; i++) {
		measure_what_if_parse(&what_if, wrong[i], error);
		CU_ASSERT_FALSE(measure_what_if_check(
			&what_if, &t_waits.profile.trace->definitions, error));
		CU_ASSERT_PTR_NOT_NULL(strstr(error, "no such"));
		measure_what_if_free(&what_if);
	}
	for (size_t i = 0; i < 3; i++) {
		measure_what_if_parse(&what_if, right[i], error);
		CU_ASSERT_TRUE(measure_what_if_check(
			&what_if, &t_waits.profile.trace->definitions, error));
		measure_what_if_free(&what_if);
	}
	t_end();
}

/* Two compute 10 and then 30, two 30 and then 10: they compute equally long, but never together. */
static void test_balance(void)
{
	t_begin();
	for (uint32_t i = 0; i < 4; i++) {
		const uint64_t first = i % 2 == 0 ? 10 : 30;

		work(i, 0, first, T_WORK);
		t_collective(i, first, 30, T_MPI_BARRIER, OTF2_COLLECTIVE_OP_BARRIER,
			OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
		work(i, 30, 70 - first, T_WORK);
		t_collective(i, 70 - first, 62, T_MPI_BARRIER, OTF2_COLLECTIVE_OP_BARRIER,
			OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	}
	t_read();
	CU_ASSERT_EQUAL(t_efficiency.run_ticks, 62);
	CU_ASSERT_EQUAL(predicted("compute=balanced"), 40 + 2);
	T_NEAR(t_efficiency.prediction.factors.balance, 1);
	CU_ASSERT_EQUAL(predicted("rank:0=balanced rank:2=balanced"), 50 + 2);
	CU_ASSERT_EQUAL(predicted("compute=balanced compute=0.5x"), 20 + 2);
	t_end();
}

/* ------------------------------------------------------------------- random programs --- */

#define NR_RANKS 4

static uint64_t seed, clocks[NR_RANKS];

static uint64_t some_number(uint64_t least, uint64_t most)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return least + (seed >> 33) % (most - least + 1);
}

static uint64_t latest_clock(void)
{
	uint64_t latest = 0;

	for (int i = 0; i < NR_RANKS; i++)
		latest = clocks[i] > latest ? clocks[i] : latest;
	return latest;
}

static void random_message(void)
{
	const uint32_t sender = (uint32_t)some_number(0, NR_RANKS - 1);
	const uint32_t receiver = (sender + (uint32_t)some_number(1, NR_RANKS - 1)) % NR_RANKS;
	const uint64_t begin = clocks[sender];
	const uint64_t from = begin > clocks[receiver] ? begin : clocks[receiver];
	const uint64_t end = from + some_number(3, 20);

	clocks[sender] = begin + some_number(1, 5);
	t_send(sender, begin, begin + 1, clocks[sender], receiver);
	t_receive(receiver, clocks[receiver], end - 1, end, sender);
	clocks[receiver] = end;
}

static void random_collective(uint32_t region, OTF2_CollectiveOp op)
{
	const bool has_root = op == OTF2_COLLECTIVE_OP_BCAST;
	const uint64_t last = has_root ? clocks[1] : latest_clock();

	for (uint32_t i = 0; i < NR_RANKS; i++) {
		const uint64_t from = last > clocks[i] ? last : clocks[i];
		const uint64_t end = from + some_number(1, 9);

		t_collective(i, clocks[i], end, region, op,
			has_root ? 1 : OTF2_COLLECTIVE_ROOT_NONE, has_root && i != 1 ? 0 : 8,
			has_root && i == 1 ? 0 : 8);
		clocks[i] = end;
	}
}

static void random_program(void)
{
	t_begin();
	for (uint32_t i = 0; i < NR_RANKS; i++)
		clocks[i] = some_number(0, 30);
	for (int step = 0; step < 60; step++) {
		const uint32_t rank = (uint32_t)some_number(0, NR_RANKS - 1);

		switch (some_number(0, 6)) {
		case 0:
			random_collective(T_MPI_BARRIER, OTF2_COLLECTIVE_OP_BARRIER);
			break;
		case 1:
			random_collective(T_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE);
			break;
		case 2:
			random_collective(T_BCAST, OTF2_COLLECTIVE_OP_BCAST);
			break;
		case 3:
		case 4:
			random_message();
			break;
		default:
			work(rank, clocks[rank], clocks[rank] + 40, T_WORK);
			clocks[rank] += some_number(40, 60);
		}
	}
	t_read();
}

static void check_random_program(void)
{
	const struct measure_efficiency *efficiency = &t_efficiency;
	const uint64_t run = efficiency->run_ticks;

	CU_ASSERT_TRUE(efficiency->most_useful <= efficiency->ideal_ticks);
	CU_ASSERT_TRUE(efficiency->ideal_ticks <= run);
	check_products(&efficiency->factors);
	CU_ASSERT_EQUAL(
		predicted("latency=1x bandwidth=1x compute=1x rank:2=1x region:work=1x"), run);
	CU_ASSERT_TRUE(predicted("latency=0.5x bandwidth=2x") <= run);
	CU_ASSERT_TRUE(efficiency->prediction.run_ticks >= efficiency->ideal_ticks);
	CU_ASSERT_TRUE(predicted("latency=2x") >= run);
	CU_ASSERT_TRUE(predicted("region:work=0.8x") <= run);
	CU_ASSERT_TRUE(predicted("compute=1.5x") >= run);
	CU_ASSERT_EQUAL(predicted("network=ideal"), efficiency->ideal_ticks);
	CU_ASSERT_EQUAL(efficiency->prediction.ideal_ticks, efficiency->ideal_ticks);
	CU_ASSERT_TRUE(efficiency->prediction.factors.transfer == 1);
}

static void test_random(void)
{
	for (seed = 1; seed < 41; seed++) {
		const uint64_t now = seed;

		random_program();
		check_random_program();
		t_end();
		seed = now;
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"chain", test_chain},
		{"barriers", test_barriers},
		{"some", test_some},
		{"window", test_window},
		{"cut calls", test_cut_calls},
		{"equal windows", test_equal_windows},
		{"phases", test_phases},
		{"hybrid models", test_hybrid_models},
		{"hybrid efficiencies outside", test_hybrid_outside},
		{"hybrid run", test_hybrid_run},
		{"hybrid tasks", test_hybrid_tasks},
		{"threads that no model knows", test_other_threads},
		{"scalability", test_scalability},
		{"what if", test_what_if},
		{"balance", test_balance},
		{"language", test_language},
		{"check", test_check},
		{"random programs", test_random},
		CU_TEST_INFO_NULL,
	};

	return t_suite("efficiencies", NULL, NULL, tests);
}
