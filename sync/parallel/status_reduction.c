/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ranks look for the one whose failure counts, which then tells the others. */
#include "config.h"

#include "status_reduction.h"

#include <stdio.h>

#include "trace/common/trace_error.h"
#include "trace/archive/trace.h"

struct failure {
	uint32_t status;
	char text[1200];
};

measure_status_t measure_sync_job_reduce_status(
	const struct measure_sync_job *job, measure_status_t status, uint64_t order)
{
	struct failure failure = {.status = status};
	uint64_t own = status == MEASURE_OK ? UINT64_MAX : order;
	uint64_t least = measure_sync_job_least(job, own);
	uint32_t teller;

	if (least == UINT64_MAX)
		return MEASURE_OK;
	teller = (uint32_t)measure_sync_job_least(job, own == least ? job->rank : job->size);
	snprintf(failure.text, sizeof(failure.text), "%s", measure_trace_error());
	job->ops->broadcast(&failure, sizeof(failure), teller);
	measure_error_set("%s", failure.text);
	return failure.status;
}
