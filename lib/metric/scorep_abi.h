/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What metric plug-ins of Score-P look like in memory: the binary interface of its versions 0 and
 * 1, which differ in `synchronize` alone (reserved, and zero, in 0). libNAME.so exports
 *
 *	struct measure_scorep_info SCOREP_MetricPlugin_NAME_get_info(void);
 *
 * and is told, in this order: the clock; to start; each word that was asked for, once, of which it
 * makes any number of metrics; each metric that is to be read, by its name, on the thread that will
 * read it; that recording begins; and at last that it ends, for the values, and to stop. */
#ifndef MEASURE_METRIC_SCOREP_ABI_H
#define MEASURE_METRIC_SCOREP_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEASURE_SCOREP_ENTRY    "SCOREP_MetricPlugin_%s_get_info"
#define MEASURE_SCOREP_VERSION  1 /* the newest one that is known */
#define MEASURE_SCOREP_RESERVED 99

/* What the values are of. */
enum measure_scorep_scope {
	MEASURE_SCOREP_THREAD,
	MEASURE_SCOREP_PROCESS,
	MEASURE_SCOREP_NODE,
	MEASURE_SCOREP_JOB,
	MEASURE_SCOREP_SCOPES
};

/* When there are values. */
enum measure_scorep_timing {
	MEASURE_SCOREP_ALWAYS,    /* at each event */
	MEASURE_SCOREP_SOMETIMES, /* at events, where there is a new one */
	MEASURE_SCOREP_EARLIER,   /* of times between events, asked for at events */
	MEASURE_SCOREP_ANY_TIME,  /* of any times, asked for at any time */
	MEASURE_SCOREP_TIMINGS
};

/* Numbers of value types, and of modes, up to what there is. */
enum { MEASURE_SCOREP_INT64, MEASURE_SCOREP_UINT64, MEASURE_SCOREP_DOUBLE, MEASURE_SCOREP_TYPES };
#define MEASURE_SCOREP_MODES 10

enum { MEASURE_SCOREP_BINARY, MEASURE_SCOREP_DECIMAL, MEASURE_SCOREP_BASES };

enum measure_scorep_moment {
	MEASURE_SCOREP_BEGIN,
	MEASURE_SCOREP_BEGIN_OF_MPI,
	MEASURE_SCOREP_END
};

/* The list ends with one without a name. Memory is malloc's, and the caller's. */
struct measure_scorep_metric {
	char *name;
	char *description;
	uint32_t mode;
	uint32_t value_type;
	uint32_t base;
	int64_t exponent;
	char *unit;
};

struct measure_scorep_value {
	uint64_t time; /* as the clock says */
	uint64_t value;
};

struct measure_scorep_info {
	uint32_t version;
	uint32_t scope;
	uint32_t timing;
	uint64_t interval; /* ticks of the clock between values, at least; UINT64_MAX: at the end */

	int32_t (*start)(void); /* 0: it has */
	void (*stop)(void);
	struct measure_scorep_metric *(*metrics_of)(char *word);
	int32_t (*add)(char *metric); /* a number of it; negative: it cannot be read */
	uint64_t (*value)(int32_t number);
	bool (*new_value)(int32_t number, uint64_t *value);
	void (*take_clock)(uint64_t (*clock)(void));
	uint64_t (*values)(int32_t number, struct measure_scorep_value **values); /* how many */
	void (*synchronize)(bool is_reading, uint32_t moment); /* since version 1 */
	uint64_t reserved[MEASURE_SCOREP_RESERVED];
};

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(struct measure_scorep_metric) == 48, "as Score-P has it");
_Static_assert(offsetof(struct measure_scorep_info, interval) == 16, "as Score-P has it");
_Static_assert(offsetof(struct measure_scorep_info, values) == 80, "as Score-P has it");
_Static_assert(sizeof(struct measure_scorep_info) == 88 + 8 * 100, "as its version 0 has it");
#endif

#endif
