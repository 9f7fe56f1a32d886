/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The door for sources of metrics: counters of a thread, of which Measure reads the values right
 * before each Enter and Leave; or of a process or a node, which are read beside the program, every
 * --metric-interval. A source is compiled into Measure, or a shared object of its own, as a plug-in
 * is (--metrics=./libenergy.so:joules; installed as <measure/metric.h>). That one ends in
 *
 *	static const struct measure_metric_source source = {
 *		MEASURE_METRIC_ABI, MEASURE_METRIC_NODE, "energy", ...};
 *	MEASURE_METRIC_SOURCE(source)
 *
 * with the name of its file: libenergy.so. It is loaded into `measure`, which asks for names, into
 * keepers, where its values are of processes or nodes, and else preloaded into the program. Nothing
 * here may exit, abort or print, or change errno. */
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

/* What the values are of, and where they are read. */
enum measure_metric_scope {
	MEASURE_METRIC_THREAD = 0,  /* in the program, at each event of the thread */
	MEASURE_METRIC_PROCESS = 1, /* in its keeper, a process of its own */
	MEASURE_METRIC_NODE = 2     /* in the keeper of one process of each node */
};

struct measure_metric_source {
	uint32_t abi;     /* MEASURE_METRIC_ABI */
	uint32_t scope;   /* enum measure_metric_scope */
	const char *name; /* as in --metrics=NAME:metric; of a plug-in, in the name of its file */

	/* What a metric is. MEASURE_ERROR_NOT_FOUND: there is none of that name.
	 * MEASURE_ERROR_UNSUPPORTED: not on this machine, or not for this user; *why says so. In
	 * the program, and before in `measure`. The strings live as long as the object. */
	measure_status_t (*find)(
		const char *metric, struct measure_metric_info *info, const char **why);

	/* The metrics by number, from 0: for lists, and for messages that name the nearest ones.
	 * NULL: there are no more. */
	const char *(*name_of)(uint32_t number);

	/* Values of these metrics, all of which were found, are to be read on the calling thread
	 * from now on. At most MEASURE_MOST_METRICS, which live as long as the process. `pid`: the
	 * process that they are of. Returns what read() and end() get; NULL: they cannot be read
	 * on this thread, or of this process. */
	void *(*begin)(const char *const *metrics, uint32_t nr, pid_t pid);

	/* Their values now, in the order of begin(), on the same thread. Of a thread: once per
	 * event, no lock, no allocation. False: there are none now. */
	bool (*read)(void *state, union measure_metric_value *values);

	/* The thread, or the process, is over. */
	void (*end)(void *state);

	/* Of a thread's: in a forked child that is recorded, before its begin(); may be NULL. What
	 * begin() has returned is not asked for again. */
	void (*forked)(void);
};

/* From a constructor; measure reads at once where metrics of the source were asked for. Not
 * recording: does nothing. The struct must live as long as the process. */
__attribute__((weak, visibility("default"))) void measure_metric_register(
	const struct measure_metric_source *source);

/* What `measure` asks about names, before the program starts. */
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
