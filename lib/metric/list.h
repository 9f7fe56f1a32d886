/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The value of --metrics: "PAPI_TOT_INS,rusage:ru_minflt,perf:page-faults". */
#ifndef MEASURE_METRIC_LIST_H
#define MEASURE_METRIC_LIST_H

#include <stdbool.h>
#include "metric.h"

#define MEASURE_METRIC_NAME 128 /* bytes of a metric's name, with its NUL */
#define MEASURE_METRIC_PATH 512 /* of a source's name, or the path of a plug-in */
#define MEASURE_METRIC_MOST 64  /* that are recorded; those behind them are not */

struct measure_metric_choice {
	char source[MEASURE_METRIC_PATH];
	char metric[MEASURE_METRIC_NAME]; /* "": a plug-in alone was named */
};

/* Takes the next choice from *text, which moves on. False: there is none any more. Names that are
 * too long are cut, and so will not be found. */
bool measure_metric_list_next(const char **text, struct measure_metric_choice *choice);

/* Is its source a plug-in, named by its path? */
bool measure_metric_is_of_plugin(const struct measure_metric_choice *choice);

/* Is it of the source with this name? That of a plug-in is the name of its file: "energy" of
 * /opt/libenergy.so. */
bool measure_metric_is_of(const struct measure_metric_choice *choice, const char *source);

/* Does it name a metric of this source? */
bool measure_metric_list_has(const char *text, const char *source);

/* -------------------------------------- sources that Measure has itself: what any Linux can tell --- */

extern const struct measure_metric_source measure_metric_rusage;
extern const struct measure_metric_source measure_metric_perf;
extern const struct measure_metric_source measure_metric_sched;
extern const struct measure_metric_source measure_metric_proc;
extern const struct measure_metric_source measure_metric_node;

/* Where the zones of the kernel's powercap are; for tests. */
extern const char *measure_metric_powercap;

/* Those that the run-time core has, of threads, and NULL. */
extern const struct measure_metric_source *const measure_metric_sources[];

/* Those that are read beside the program, and NULL. Not in the core. */
extern const struct measure_metric_source *const measure_metric_sampled[];

#endif
