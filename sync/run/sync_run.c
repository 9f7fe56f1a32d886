/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The passes in their order. */
#include "config.h"

#include "sync_run.h"

#include <libgen.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "sync_gather.h"
#include "sync/graph/min_latency.h"
#include "base/posix.h"
#include "sync/parallel/status_reduction.h"
#include "sync/graph/split.h"
#include "sync/parallel/workers.h"
#include "trace/common/trace_error.h"
#include "trace/common/spilling_alloc.h"
#include "trace/common/containers.h"

/* Bytes. Larger than what the library allocates again and again to read with, and smaller than what
 * is made of the events of a large archive. */
#define LARGE (8 << 20)

#define BYTES_PER_KIB 1024

const char *const sync_pass_words[SYNC_NR_PASSES] = {
	"scan", "forward", "backward", "count", "compensation", "emit", "statistics"};
const char *const sync_stage_words[SYNC_NR_STAGES] = {"input", "presync", "forward", "result"};

const enum measure_check sync_run_unmatched[] = {MEASURE_CHECK_MESSAGE_UNMATCHED,
	MEASURE_CHECK_COLLECTIVE_INCOMPLETE, MEASURE_CHECK_COLLECTIVE_PAIR,
	MEASURE_CHECK_COLLECTIVE_OPERATION, MEASURE_CHECK_RMA_COLLECTIVE,
	MEASURE_CHECK_TEAM_INCOMPLETE, MEASURE_CHECK_TEAM_FORK, MEASURE_CHECK_BARRIER_INCOMPLETE,
	MEASURE_CHECK_TASK_UNKNOWN, MEASURE_NR_CHECKS};

void sync_options_start(struct sync_options *options)
{
	*options = (struct sync_options){.nr_threads = 1,
		.memory = UINT64_MAX,
		.domain = MEASURE_SYNC_DOMAIN_PROCESS,
		.presync = MEASURE_PRESYNC_PIECEWISE,
		.rate = {1, 100000},
		.latencies = measure_min_latencies_usual,
		.window = {-HUGE_VAL, HUGE_VAL}};
	measure_selection_default(&options->selection);
}

/* Adds the time since *since to a pass. */
static void sync_run_note(struct sync_run *run, enum sync_pass pass, double *since)
{
	double time = measure_now_seconds();

	run->seconds[pass] += time - *since;
	*since = time;
}

static uint64_t most_memory(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * BYTES_PER_KIB : 0;
}

/* Where the user wants it, or nobody has measured offsets. */
static bool may_messages_be_used(const struct sync_run *run)
{
	if (run->options->is_presync_chosen)
		return run->options->presync == MEASURE_PRESYNC_MESSAGES;
	for (size_t i = 0; i < run->trace->definitions.nr_locations; i++)
		if (run->trace->offsets[i].nr > 0)
			return false;
	return true;
}

static measure_status_t start_graph(struct sync_run *run)
{
	const struct sync_options *options = run->options;
	const struct measure_sync_latencies latencies =
		measure_min_latencies_in_ticks(&options->latencies, run->trace);
	size_t nr = run->trace->definitions.nr_locations;

	run->presync = measure_zeroed(nr, sizeof(*run->presync));
	for (size_t i = 0; i < nr; i++) {
		size_t nr_dropped;

		if (measure_presync_make(&run->trace->offsets[i], options->presync, options->ends,
			    &run->presync[i], &nr_dropped) != MEASURE_OK) {
			measure_error_set("%s: out of memory", run->trace->anchor);
			return MEASURE_ERROR_MEMORY;
		}
		run->nr_dropped += nr_dropped;
	}
	measure_sync_graph_start(
		&run->graph, run->trace, run->presync, options->domain, &latencies, run->job);
	run->graph.far.is_whole = may_messages_be_used(run);
	return MEASURE_OK;
}

static measure_status_t scan(
	struct sync_run *run, measure_sync_progress_fn progress, double *since)
{
	measure_status_t status =
		measure_sync_scan_read(&run->graph, run->options->nr_threads, progress, &run->scan);
	uint32_t disordered;

	if (status != MEASURE_OK)
		return status;
	disordered = measure_sync_graph_finish(&run->graph, run->options->nr_threads);
	malloc_trim(0);
	sync_run_note(run, SYNC_PASS_SCAN, since);
	if (disordered == MEASURE_NONE)
		return measure_sync_job_reduce_status(run->job, MEASURE_OK, 0);
	measure_error_set("%s: %s: its clock offsets make times decrease; use --presync=none",
		run->trace->anchor, measure_name_of_location(&run->trace->definitions, disordered));
	return measure_sync_job_reduce_status(
		run->job, MEASURE_ERROR_FORMAT, run->graph.domains[disordered]);
}

static void sync_run_count(struct sync_run *run, enum sync_stage stage, double *since)
{
	measure_sync_count(&run->graph, run->options->nr_threads, &run->counts[stage]);
	sync_run_note(run, SYNC_PASS_COUNT, since);
}

/* Collective: something comes before what it waited for. */
static bool are_messages_needed(const struct sync_run *run)
{
	uint64_t nr_violated = 0;

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		nr_violated += run->counts[SYNC_STAGE_INPUT].relations[i].nr_violated;
	return measure_sync_job_sum(run->job, nr_violated) > 0;
}

/* Collective. From the raw times of the graph, whose times are new ones then. */
static measure_status_t estimate(struct sync_run *run)
{
	const struct sync_options *options = run->options;
	measure_status_t status;

	if (!may_messages_be_used(run) ||
		(options->presync != MEASURE_PRESYNC_MESSAGES && !are_messages_needed(run)))
		return MEASURE_OK;
	status = measure_sync_messages_estimate(&run->graph, run->presync, &run->estimated);
	if (status != MEASURE_OK)
		measure_error_set("%s: out of memory", run->trace->anchor);
	status = measure_sync_job_reduce_status(run->job, status, 0);
	if (status != MEASURE_OK)
		return status;
	run->is_estimated = run->estimated.nr_references < run->estimated.nr_clocks;
	if (measure_sync_graph_time(&run->graph, options->nr_threads) != MEASURE_NONE) {
		measure_error_set(
			"%s: offsets from messages make times decrease; use --presync=none",
			run->trace->anchor);
		status = MEASURE_ERROR_FORMAT;
	}
	return measure_sync_job_reduce_status(run->job, status, 0);
}

static measure_status_t presynchronise(struct sync_run *run, double *since)
{
	measure_status_t status;

	measure_sync_values_of_input(&run->graph, run->options->nr_threads);
	measure_sync_split_relations(&run->graph, run->options->nr_threads);
	sync_run_count(run, SYNC_STAGE_INPUT, since);
	status = estimate(run);
	sync_run_note(run, SYNC_PASS_FORWARD, since);
	return status;
}

/* False: locations that were to share a clock do not. */
static bool replay(struct sync_run *run, double *since)
{
	const struct sync_options *options = run->options;
	bool is_done;

	measure_sync_values_of_presync(&run->graph, options->nr_threads);
	sync_run_count(run, SYNC_STAGE_PRESYNC, since);
	is_done = measure_sync_forward(
		&run->graph, &options->rate, options->nr_threads, &run->relaxed);
	sync_run_note(run, SYNC_PASS_FORWARD, since);
	return is_done;
}

static void correct_domain(void *data, size_t domain)
{
	struct sync_run *run = data;

	if (!measure_sync_is_my_domain(&run->graph, (uint32_t)domain))
		return;
	measure_sync_correction_make(&run->graph, (uint32_t)domain, &run->options->rate,
		run->options->rule, &run->corrections[domain]);
}

static void correct(struct sync_run *run, double *since)
{
	const struct sync_options *options = run->options;

	while (!replay(run, since))
		measure_sync_split_circles(&run->graph, options->nr_threads);
	sync_run_count(run, SYNC_STAGE_FORWARD, since);
	measure_sync_backward(&run->graph, options->nr_threads);
	run->corrections = measure_zeroed(run->graph.nr_domains, sizeof(*run->corrections));
	measure_workers_share(options->nr_threads, run->graph.nr_domains, correct_domain, run);
	sync_run_note(run, SYNC_PASS_BACKWARD, since);
	measure_sync_values_of_result(
		&run->graph, run->corrections, options->nr_threads, &run->displacement);
	sync_run_count(run, SYNC_STAGE_RESULT, since);
}

/* The first rank alone looks at every event again. */
static measure_status_t make_statistics(
	struct sync_run *run, const char *directory, measure_sync_progress_fn progress)
{
	measure_status_t status = MEASURE_OK;

	if (run->job->rank == 0) {
		status = measure_sync_stats_make(&run->graph, run->corrections,
			&run->options->window, directory, progress, &run->stats);
		run->has_stats = status == MEASURE_OK;
	}
	return measure_sync_job_reduce_status(run->job, status, 0);
}

/* What is large goes back to the system when it is freed, and grows without being copied; what is
 * not stays: left alone, malloc would take more and more for small. What is more than may be in
 * memory lies beside the result: other places may be small, or memory themselves. */
static void set_memory(const struct sync_options *options, const char *directory)
{
	char *copy = measure_copy_text(directory);

	mallopt(M_MMAP_THRESHOLD, LARGE);
	mallopt(M_TRIM_THRESHOLD, LARGE);
	measure_spill_bound(options->memory, dirname(copy));
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow: an error like a full disk */
	measure_free(copy);
}

measure_status_t sync_run_correct(struct sync_run *run, const struct measure_sync_job *job,
	const struct sync_options *options, measure_sync_progress_fn progress)
{
	double since = measure_now_seconds();
	measure_status_t status;

	*run = (struct sync_run){.options = options, .job = job, .findings.nr_kept_per_check = 1};
	status = measure_trace_open(options->input, &run->findings, &run->trace);
	if (status == MEASURE_OK)
		status = sync_inspect(run);
	status = measure_sync_job_reduce_status(job, status, 0);
	if (status != MEASURE_OK)
		return status;
	run->trace->selection = &options->selection;
	status = measure_sync_job_reduce_status(job, start_graph(run), 0);
	if (status == MEASURE_OK)
		status = scan(run, progress, &since);
	if (status == MEASURE_OK)
		status = sync_inspect_events(run);
	if (status != MEASURE_OK)
		return status;
	status = presynchronise(run, &since);
	if (status == MEASURE_OK)
		correct(run, &since);
	return status;
}

/* Collective. */
static measure_status_t compensate(struct sync_run *run, double *since)
{
	measure_status_t status = measure_sync_job_reduce_status(run->job, sync_costs_find(run), 0);

	if (status == MEASURE_OK)
		status =
			measure_compensation_make(&run->compensation, &run->graph, run->corrections,
				run->costs, run->options->compensation, run->options->nr_threads);
	sync_run_note(run, SYNC_PASS_COMPENSATION, since);
	return status;
}

measure_status_t sync_run(struct sync_run *run, const struct measure_sync_job *job,
	const struct sync_options *options, const char *directory,
	measure_sync_progress_fn progress)
{
	measure_status_t status;
	double since;

	set_memory(options, directory);
	status = sync_run_correct(run, job, options, progress);
	if (status != MEASURE_OK)
		return status;
	since = measure_now_seconds();
	if (options->compensation != MEASURE_COMPENSATION_NONE) {
		status = compensate(run, &since);
		if (status != MEASURE_OK)
			return status;
	}
	sync_gather_corrections(run);
	run->emission = (struct measure_sync_emission){.graph = &run->graph,
		.corrections = run->corrections,
		.kind = options->emit,
		.filter = options->rules.filter,
		.compensation = run->costs ? &run->compensation : NULL};
	status = measure_sync_emit(&run->emission, directory, options->is_in_place);
	sync_clocks_add_up(run);
	sync_gather_counts(run);
	sync_run_note(run, SYNC_PASS_EMIT, &since);
	if (status == MEASURE_OK && options->has_full_statistics)
		status = make_statistics(run, directory, progress);
	sync_run_note(run, SYNC_PASS_STATISTICS, &since);
	run->memory = measure_sync_job_sum(job, most_memory());
	run->spilled = measure_sync_job_sum(job, measure_spill_spilled());
	return status;
}

void sync_run_free(struct sync_run *run)
{
	for (uint32_t i = 0; run->corrections && i < run->graph.nr_domains; i++)
		measure_sync_correction_free(&run->corrections[i]);
	measure_free(run->corrections);
	for (size_t i = 0; run->presync && i < run->trace->definitions.nr_locations; i++)
		measure_free(run->presync[i].items);
	measure_free(run->presync);
	if (run->compensation.graph)
		measure_compensation_free(&run->compensation);
	measure_free(run->costs);
	measure_sync_graph_free(&run->graph);
	measure_sync_stats_free(&run->stats);
	measure_trace_close(run->trace);
	measure_findings_free(&run->findings);
}

bool sync_run_is_clean(const struct sync_run *run)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		if (run->relaxed.nr[i] > 0 ||
			run->counts[SYNC_STAGE_RESULT].relations[i].nr_violated > 0 ||
			run->compensation.counts.relations[i].nr_violated > 0)
			return false;
	return !run->has_stats || measure_sync_stats_are_good(&run->stats);
}
