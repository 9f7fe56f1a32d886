/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The value of --metrics: "PAPI_TOT_INS,rusage:ru_minflt,perf:page-faults". */
#ifndef MEASURE_METRIC_LIST_H
#define MEASURE_METRIC_LIST_H

#include <stdbool.h>

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

#endif
