/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of StarVZ: what its parts share. A process is its rank, or its number where there are
 * no ranks; a resource is called after it, as "1_CPU0", and a task too, as "1_25". */
#ifndef MEASURE_EXPORT_STARVZ_STARVZ_H
#define MEASURE_EXPORT_STARVZ_STARVZ_H

#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>

#include "analysis/tasks/tasks.h"
#include "export/conversion/conversion.h"

enum starvz_file {
#define STARVZ_FILE(NAME, name, is_compressed, header) STARVZ_##NAME,
#include "starvz_files.def"
#undef STARVZ_FILE
	STARVZ_NR_FILES
};

struct starvz {
	const struct measure_conversion *conversion;
	struct measure_tasks tasks;
	gzFile files[STARVZ_NR_FILES];
	size_t nr_processes;
	uint32_t *numbers;   /* by process */
	size_t *first_tasks; /* by process: index of the first one */
	uint32_t *hops;      /* by task: index of its hop, or MEASURE_NONE; NULL: there are none */
	uint32_t *resources; /* by worker: number in its process and class */
};

/* Milliseconds of ticks. */
static inline double starvz_ms(const struct starvz *starvz, uint64_t ticks)
{
	return (double)ticks / (double)starvz->conversion->resolution * 1000;
}

static inline gzFile starvz_file(const struct starvz *starvz, enum starvz_file file)
{
	return starvz->files[file];
}

/* Buffers of this size have room for any of these names; they are returned. */
#define STARVZ_NAME 64

/* StarVZ knows CPUs, and accelerators by the name of CUDA. */
bool starvz_is_cpu(const struct starvz *starvz, uint32_t worker);
char *starvz_resource(const struct starvz *starvz, uint32_t worker, char name[STARVZ_NAME]);
/* A task that is a message is called after its hop, on both sides. */
char *starvz_job(const struct starvz *starvz, uint32_t task, char name[STARVZ_NAME]);
char *starvz_handle(const struct starvz *starvz, uint32_t data, char name[STARVZ_NAME]);

/* A name in a column: what would end it becomes something else. */
void starvz_print_name(gzFile file, const char *name);

/* Bytes of all data that a task accesses. */
uint64_t starvz_task_bytes(const struct starvz *starvz, uint32_t task);

/* Tables of tasks: states of workers, rec.tasks, dag. */
void starvz_write_tasks(const struct starvz *starvz);
/* What is around them: entities, data, messages and transfers. */
void starvz_write_machine(const struct starvz *starvz);
/* Values over time: tasks that are ready and submitted, GFlop/s, bandwidth. */
void starvz_write_variables(const struct starvz *starvz);

#endif
