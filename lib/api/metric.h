/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The door for sources of metrics: counters of which Measure reads the values right before each
 * Enter and Leave of a thread. A source is compiled into the run-time core, or a shared object of
 * its own that is preloaded where --metrics names one of its metrics; that one ends in
 *
 *	static const struct measure_metric_source source = {MEASURE_METRIC_ABI, "energy", ...};
 *	MEASURE_METRIC_SOURCE(source)
 *
 * Nothing here may exit, abort or print, or change errno. */
#ifndef MEASURE_API_METRIC_H
#define MEASURE_API_METRIC_H

#include "adapter.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MEASURE_METRIC_ABI 1

struct measure_metric_source {
	uint32_t abi;     /* MEASURE_METRIC_ABI */
	const char *name; /* as in --metrics=NAME:metric */

	/* What a metric is. MEASURE_ERROR_NOT_FOUND: there is none of that name.
	 * MEASURE_ERROR_UNSUPPORTED: not on this machine, or not for this user; *why says so. In
	 * the program, and before in `measure`. The strings live as long as the object. */
	measure_status_t (*find)(
		const char *metric, struct measure_metric_info *info, const char **why);

	/* The metrics by number, from 0: for lists, and for messages that name the nearest ones.
	 * NULL: there are no more. */
	const char *(*name_of)(uint32_t number);

	/* Values of these metrics, all of which were found, are to be read on the calling thread
	 * from now on. At most MEASURE_MOST_METRICS, which live as long as the process. Returns
	 * what read() and end() get; NULL: they cannot be read on this thread. */
	void *(*begin)(const char *const *metrics, uint32_t nr);

	/* Their values now, in the order of begin(), on the same thread; once per event. No lock,
	 * no allocation. False: there are none any more. */
	bool (*read)(void *thread, union measure_metric_value *values);

	/* The thread is over. */
	void (*end)(void *thread);

	/* In a forked child that is recorded, before its begin(); may be NULL. What begin() has
	 * returned is not asked for again. */
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
	measure_metric_source(void)                                                                \
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
