/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event files of metrics that a keeper samples, its series: one of the process and one of the
 * node, by enum measure_metric_scope, of which each record has all values, those of class 0; and
 * one of each plug-in whose values come one by one, those of the metric i as class i. They are
 * written as OTF2 has them, so that they move into the archive as they are. What is written stays,
 * whoever is killed. */
#ifndef MEASURE_ASSEMBLE_PART_SAMPLE_FILE_H
#define MEASURE_ASSEMBLE_PART_SAMPLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapter.h"
#include "status.h"

#define MEASURE_SAMPLED_SCOPES  3 /* of enum measure_metric_scope; there is none of threads */
#define MEASURE_SAMPLED_PLUGINS 4 /* whose values come one by one */
#define MEASURE_SERIES          (MEASURE_SAMPLED_SCOPES + MEASURE_SAMPLED_PLUGINS)

#define MEASURE_MOST_SAMPLED 24  /* values of a record, whose length is one byte */
#define MEASURE_MOST_SINGLE  256 /* metrics of a plug-in whose values come one by one */

struct measure_sample_file {
	int fd;
	uint32_t chunk_size;
	uint8_t *chunk;    /* the last one */
	uint64_t sequence; /* its number, from 0 */
	size_t end;        /* behind its last event; 0: there is no chunk */
	size_t written;    /* bytes of it that are in the file */
	uint64_t nr_events;
	uint64_t last_time;
};

/* Its name in a part; NULL: there is no such series. */
const char *measure_sample_file_name(uint32_t series);

/* Whether its values come one by one. */
static inline bool measure_series_is_single(uint32_t series)
{
	return series >= MEASURE_SAMPLED_SCOPES;
}

/* Goes on behind what another keeper has left there. */
measure_status_t measure_sample_file_open(
	int part_fd, uint32_t series, uint32_t chunk_size, struct measure_sample_file *file);

/* The values of a class, by its id in this file; at most MEASURE_MOST_SAMPLED, whose types
 * are OTF2's. Not to be written: nothing has changed, and a later one may be tried. */
measure_status_t measure_sample_file_put(struct measure_sample_file *file, uint64_t time,
	uint32_t metric_class, const uint8_t *types, const union measure_metric_value *values,
	uint32_t nr);

void measure_sample_file_close(struct measure_sample_file *file);

/* Ends those of a part, any number of times; one without events is removed. *end_time: then it is
 * behind their last event, for who reads one location after the other as well. */
measure_status_t measure_sample_files_finish(int part_fd, uint32_t chunk_size, uint64_t *end_time);

#endif
