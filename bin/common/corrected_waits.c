/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads, corrects, reads again; see corrected_waits.h. */
#include "config.h"

#include "corrected_waits.h"

#include "analysis/waits/waits_clocks.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "trace/common/containers.h"

static measure_status_t read_once(struct corrected_waits *corrected, struct measure_trace *trace,
	const struct measure_waits_options *options)
{
	measure_status_t status;

	measure_progress_start("analyzing");
	status = measure_waits_read(trace, options, &corrected->waits);
	measure_progress_end();
	return status;
}

bool corrected_times_find(struct sync_times *times, const struct measure_trace *trace,
	const struct measure_waits_options *wishes, char **failure)
{
	struct sync_options options;
	measure_status_t status;

	sync_options_start(&options);
	options.input = trace->anchor;
	options.nr_threads = wishes->nr_threads;
	measure_progress_start("correcting clocks");
	status = sync_times_find(times, wishes->job, &options, wishes->progress);
	measure_progress_end();
	if (status == MEASURE_OK)
		return true;
	*failure = measure_copy_text(measure_trace_error());
	if (wishes->job->rank == 0)
		measure_cli_say("times are not corrected: %s", *failure);
	return false;
}

measure_status_t corrected_waits_read(struct corrected_waits *corrected,
	struct measure_trace *trace, bool is_wanted, const struct measure_waits_options *options)
{
	/* What both readings find counts once. No texts are kept. */
	const struct measure_findings found_before = *trace->findings;
	const struct measure_sync_job *job = options->job;
	struct measure_waits_clocks clocks;
	measure_status_t status;

	*corrected = (struct corrected_waits){.failure = NULL};
	status = read_once(corrected, trace, options);
	clocks = measure_waits_clocks_find(&corrected->waits);
	clocks.is_wanted = is_wanted;
	/* the first process of a job has found them */
	if (is_wanted && measure_sync_job_sum(job, clocks.violations) > 0) {
		measure_waits_free(&corrected->waits); /* makes room */
		clocks.is_corrected = corrected_times_find(
			&corrected->times, trace, options, &corrected->failure);
		if (clocks.is_corrected)
			sync_times_use(&corrected->times, trace);
		*trace->findings = found_before;
		status = read_once(corrected, trace, options);
	}
	clocks.failure = corrected->failure;
	corrected->waits.clocks = clocks;
	return status;
}

void corrected_waits_free(struct corrected_waits *corrected)
{
	measure_waits_free(&corrected->waits);
	sync_times_free(&corrected->times);
	measure_free(corrected->failure);
}
