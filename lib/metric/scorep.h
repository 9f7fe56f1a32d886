/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metric plug-ins of Score-P: opening one and asking for its metrics. For `measure`, keepers, and
 * the object that reads them in the program. */
#ifndef MEASURE_METRIC_SCOREP_H
#define MEASURE_METRIC_SCOREP_H

#include <stdbool.h>
#include <stdint.h>

#include "metric/scorep_abi.h"
#include "metric_types.h"

#define MEASURE_SCOREP_NAME 128 /* bytes of its name, with its NUL */

struct measure_scorep {
	char name[MEASURE_SCOREP_NAME]; /* of libNAME.so */
	struct measure_scorep_info info;
	bool is_in_program; /* else its values are of a node or job, and read beside it */
};

/* Whether the object at this path, which dlopen() has opened, is one. Says nothing of whether it
 * can be used. Fills all of `plugin`. */
bool measure_scorep_is(void *object, const char *path, struct measure_scorep *plugin);

/* Opens the object. False: it cannot be opened, or it is no such plug-in. */
bool measure_scorep_open(const char *path, struct measure_scorep *plugin);

/* Why it cannot be used; NULL: it can. */
const char *measure_scorep_fault(const struct measure_scorep *plugin);

/* Once in a process. `clock`: for its times. False: it says that it cannot be used here. */
typedef uint64_t measure_scorep_clock_fn(void);
bool measure_scorep_start(const struct measure_scorep *plugin, measure_scorep_clock_fn *clock);

/* What a word stands for; once for each word, after the start. "": all words in the environment's
 * SCOREP_METRIC_<name in capitals>, between which one of SCOREP_METRIC_PLUGINS_SEP (",") stands.
 * Returns how many metrics there are,
 * of which the first `most` are filled in: their strings live on. Those that make no sense are left
 * out. */
uint32_t measure_scorep_metrics(const struct measure_scorep *plugin, const char *word,
	struct measure_metric_info *metrics, uint32_t most);

/* Recording begins, or ends, in a process in which it is read. */
void measure_scorep_tell(const struct measure_scorep *plugin, enum measure_scorep_moment moment);

#endif
