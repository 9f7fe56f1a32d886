/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening the door, and the job of one process, which has nobody to talk to. */
#include "config.h"

#include "sync_ranks.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "trace/common/containers.h"

/* -------------------------------------------------------------------- one process --- */

static bool sync_ranks_start(uint32_t *rank, uint32_t *size)
{
	*rank = 0;
	*size = 1;
	return true;
}

static void sync_ranks_finish(void)
{
}

static void combine(uint64_t *values, size_t nr, enum measure_sync_job_combination how)
{
	(void)values, (void)nr, (void)how;
}

static void broadcast(void *data, size_t size, uint32_t root)
{
	(void)data, (void)size, (void)root;
}

static void swap(const struct measure_sync_job_part *out, struct measure_sync_job_part *in,
	void *(*allocate)(size_t nr, size_t size))
{
	(void)out, (void)allocate;
	in[0] = (struct measure_sync_job_part){NULL, 0};
}

static void post(uint32_t to, const struct measure_sync_job_part *message)
{
	(void)to;
	free(message->data);
}

static bool poll(struct measure_sync_job_part *message)
{
	(void)message;
	return false;
}

static void begin_sum(uint64_t *values, size_t nr)
{
	(void)values, (void)nr;
}

static bool test_sum(void)
{
	return true;
}

static const struct measure_sync_job_ops ops_of_one = {sizeof(ops_of_one), "none", sync_ranks_start,
	sync_ranks_finish, combine, broadcast, swap, post, poll, begin_sum, test_sum};

const struct measure_sync_job measure_sync_job_of_one = {0, 1, &ops_of_one};

/* ------------------------------------------------------------------------- modules --- */

const char *measure_sync_job_open(struct measure_sync_job *job, const char *module)
{
	/* Plugins of MPI libraries look for its names. The module stays: MPI does not start twice.
	 */
	void *handle = dlopen(module, RTLD_NOW | RTLD_GLOBAL);
	const struct measure_sync_job_ops *ops =
		handle ? dlsym(handle, MEASURE_SYNC_JOB_SYMBOL) : NULL;

	if (!handle)
		return dlerror();
	if (!ops || ops->size != sizeof(*ops))
		return "it belongs to another version of Measure";
	if (!ops->start(&job->rank, &job->size))
		return "its MPI library cannot be initialised";
	job->ops = ops;
	return NULL;
}

void measure_sync_job_close(struct measure_sync_job *job)
{
	job->ops->finish();
}

void measure_sync_job_swap(const struct measure_sync_job *job,
	const struct measure_sync_job_part *out, struct measure_sync_job_part *in)
{
	job->ops->swap(out, in, measure_uncleared);
}

uint64_t measure_sync_job_sum(const struct measure_sync_job *job, uint64_t value)
{
	job->ops->combine(&value, 1, MEASURE_SYNC_JOB_SUM);
	return value;
}

uint64_t measure_sync_job_least(const struct measure_sync_job *job, uint64_t value)
{
	job->ops->combine(&value, 1, MEASURE_SYNC_JOB_LEAST);
	return value;
}

char *measure_sync_job_share_text(const struct measure_sync_job *job, const char *text)
{
	uint64_t size = text ? strlen(text) + 1 : 0;
	char *copy;

	job->ops->broadcast(&size, sizeof(size), 0);
	if (size == 0)
		return NULL;
	copy = job->rank == 0 ? measure_copy_text(text) : measure_zeroed(size, 1);
	job->ops->broadcast(copy, size, 0);
	return copy;
}
