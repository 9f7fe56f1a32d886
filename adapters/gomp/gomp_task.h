/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explicit tasks. libgomp is given a function of ours, and an argument that has this struct in
 * front of the program's: so it is wherever the task runs, and costs no memory of its own. */
#ifndef MEASURE_GOMP_TASK_H
#define MEASURE_GOMP_TASK_H

#include <stdint.h>

#include "gomp_thread.h"

/* Flags of GOMP_task and GOMP_taskloop. */
enum {
	MEASURE_GOMP_FLAG_UNTIED = 1 << 0,
	MEASURE_GOMP_FLAG_FINAL = 1 << 1,
	MEASURE_GOMP_FLAG_MERGEABLE = 1 << 2,
	MEASURE_GOMP_FLAG_DEPEND = 1 << 3,
	MEASURE_GOMP_FLAG_PRIORITY = 1 << 4,
	MEASURE_GOMP_FLAG_IF = 1 << 10, /* of a taskloop */
	MEASURE_GOMP_FLAG_REDUCTION = 1 << 12,
	MEASURE_GOMP_FLAG_DETACH = 1 << 13
};

struct measure_gomp_task {
	/* What libgomp writes where it believes the program's argument begins, and looks for
	 * there: the event of a task that can be detached; the bounds of a part of a taskloop,
	 * and behind these its reductions. */
	uint64_t words[3];

	measure_gomp_fn function;  /* the program's */
	measure_gomp_copy_fn copy; /* its argument; NULL: bytes are copied */
	void *data;
	uint32_t size;   /* of the argument, bytes */
	uint32_t offset; /* of its copy from here */

	measure_comm_t comm;
	uint32_t creator;
	uint32_t generation; /* 0: it is made when it runs */
	measure_region_t create;
	measure_region_t region;
	uint64_t parent; /* as MEASURE_TASK_PARENT; 0: an implicit task */
	int32_t priority;

	uint8_t flags;       /* as MEASURE_TASK_FLAGS */
	uint8_t bounds_size; /* of a taskloop: bytes of each bound */
	bool is_detachable;
	bool is_droppable; /* once there is a cancellation, it is as if it had run */
	bool is_copied;
};

/* What a task is created with besides its function and argument. */
struct measure_gomp_clauses {
	bool is_deferred; /* as far as the program says */
	unsigned flags;
	void **depend;
	int priority;
	void *detach;
};

/* Sets all but the program's things of a task that is made now by a call that returns to
 * `address`. */
void measure_gomp_task_init(struct measure_gomp_thread *thread, struct measure_gomp_task *task,
	const void *address, const struct measure_gomp_clauses *clauses);

/* Takes a number and writes the creation; in a transaction of the thread that makes the task. */
void measure_gomp_task_create(struct measure_gomp_thread *thread, struct measure_location *location,
	struct measure_gomp_task *task);

/* Copies the program's argument behind `to`, which is a copy of the struct already. */
void measure_gomp_task_copy(struct measure_gomp_task *to, struct measure_gomp_task *from);

/* Where the program's argument lies behind the struct. */
uint32_t measure_gomp_task_offset(long align);
static inline void *measure_gomp_task_argument(struct measure_gomp_task *task)
{
	return (char *)task + task->offset;
}

/* The function that libgomp runs. */
void measure_gomp_task_run(void *argument);

/* OMP_CANCELLATION is set. */
bool measure_gomp_is_cancellable(void);

/* ------------------------------------------------------------------- detached tasks --- */

/* The function of a task that can be detached is over. True: its event has been fulfilled. */
bool measure_gomp_event_task_over(const struct measure_gomp_task *task);

#endif
