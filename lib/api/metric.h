/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interface of metric sources: counters of a thread, which Measure reads directly before each
 * Enter and Leave, or values of a process or node, which the keeper reads every --metric-interval.
 * A source is compiled into Measure, or is a plug-in, a shared object of its own
 * (--metrics=./libenergy.so:joules; this file is installed as <measure/metric.h>). A plug-in ends
 * with
 *
 *	static const struct measure_metric_source source = {
 *		MEASURE_METRIC_ABI, MEASURE_METRIC_NODE, "energy", ...};
 *	MEASURE_METRIC_SOURCE(source)
 *
 * and its file has the name of the source: libenergy.so. It is loaded into a child of `measure`,
 * which asks for names; then into keepers, if its values are those of processes or nodes, otherwise
 * into the program. No function of a source may exit, abort, print, or change errno. */
#ifndef MEASURE_API_METRIC_H
#define MEASURE_API_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "metric_types.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MEASURE_METRIC_ABI 1

/* The owner of the values, and the place where they are read. */
enum measure_metric_scope {
	MEASURE_METRIC_THREAD = 0,  /* in the program, at each event of the thread */
	MEASURE_METRIC_PROCESS = 1, /* in its keeper */
	MEASURE_METRIC_NODE = 2     /* in the keeper of one process of each node */
};

struct measure_metric_source {
	uint32_t abi;     /* MEASURE_METRIC_ABI */
	uint32_t scope;   /* enum measure_metric_scope */
	const char *name; /* as in --metrics=NAME:metric; of a plug-in, as in its file name */

	/* Describes a metric. MEASURE_ERROR_NOT_FOUND: there is none of this name.
	 * MEASURE_ERROR_UNSUPPORTED: it is not available on this machine or to this user; *why has
	 * the reason. Called in `measure`, then in the program. Strings live as long as the
	 * object. */
	measure_status_t (*find)(
		const char *metric, struct measure_metric_info *info, const char **why);

	/* The name of a metric by number, from 0, for lists and suggestions. NULL: there are no
	 * more. */
	const char *(*name_of)(uint32_t number);

	/* Starts to read these metrics on the calling thread. find() has found all of them; there
	 * are at most MEASURE_MOST_METRICS, and their names live as long as the process. `pid` is
	 * the process whose values are read. Returns the state for read() and end(), or NULL if
	 * they cannot be read on this thread or of this process. */
	void *(*begin)(const char *const *metrics, uint32_t nr, pid_t pid);

	/* Reads the current values, in the order of begin(), on the same thread. For metrics of a
	 * thread it is called at each event and must not lock or allocate. False: there are no
	 * values now. */
	bool (*read)(void *state, union measure_metric_value *values);

	/* The thread or process has ended. */
	void (*end)(void *state);

	/* For metrics of a thread: called in a forked child that is recorded, before its begin();
	 * may be NULL. States that begin() returned in the parent are not used again. */
	void (*forked)(void);
};

/* Called by a constructor. If metrics of the source were requested, reading starts at once; if the
 * process is not recorded, nothing happens. The struct must live as long as the process. */
__attribute__((weak, visibility("default"))) void measure_metric_register(
	const struct measure_metric_source *source);

/* The function by which `measure` finds the source, before the program starts. */
typedef const struct measure_metric_source *measure_metric_source_fn(void);

#define MEASURE_METRIC_SOURCE(source)                                                              \
	__attribute__((visibility("default"))) const struct measure_metric_source *                \
	measure_metric_source(void);                                                               \
	const struct measure_metric_source *measure_metric_source(void)                            \
	{                                                                                          \
		return &(source);                                                                  \
	}                                                                                          \
	__attribute__((constructor)) static void measure_metric_source_register(void)              \
	{                                                                                          \
		if (measure_metric_register)                                                       \
			measure_metric_register(&(source));                                        \
	}

#ifdef __cplusplus
}
#endif
#endif
