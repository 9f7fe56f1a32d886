/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a trace of Perfetto consists of: packets, with descriptions of tracks and with events on
 * them. A packet belongs to a sequence, which has a track and knows names by numbers once it has
 * been told them. */
#ifndef MEASURE_EXPORT_FORMATS_PERFETTO_PACKETS_H
#define MEASURE_EXPORT_FORMATS_PERFETTO_PACKETS_H

#include <stdint.h>

#include "export/conversion/conversion.h"
#include "export/conversion/output_file.h"
#include "flows.h"
#include "perfetto_fields.h"
#include "proto_writer.h"

/* Identities of tracks: one range for each kind. */
enum perfetto_track {
	TRACK_OF_PROCESS = 1,
	TRACK_OF_LOCATION,
	TRACK_OF_WAITS,
	TRACK_OF_MESSAGES,
	TRACK_OF_COUNTER,
	TRACK_OF_MARKERS
};

struct perfetto {
	struct measure_conversion *conversion;
	const char *path;
	struct measure_output_file output;
	struct proto_writer writer;
	uint64_t nr_written;  /* bytes of this file */
	uint64_t nr_repeated; /* of these, what the file before has, too */
	unsigned nr_files;
	measure_status_t status;

	uint32_t sequence; /* of a file; 0: none yet */
	/* by number of region, by paradigm: the sequence that knows its name */
	uint32_t *regions, *categories;
	struct measure_map counters;         /* (location, metric, member): number of the track */
	struct measure_map written_counters; /* the same, in this file */
	MEASURE_GROWING(uint32_t, open);     /* paths of the location */
	struct flow_ends flows;
	size_t next_flow;
};

/* Writes what is in memory to the file. */
void perfetto_flush(struct perfetto *perfetto);

/* The identity of a track. */
uint64_t perfetto_track(enum perfetto_track kind, uint64_t number);

/* Events go to that track from now on. */
void perfetto_begin_sequence(struct perfetto *perfetto, uint64_t track);

void perfetto_write_process(struct perfetto *perfetto, uint32_t process);
void perfetto_write_location(struct perfetto *perfetto, uint32_t location);

/* Below that of a location; MEASURE_NONE: below none. */
void perfetto_write_child_track(
	struct perfetto *perfetto, uint64_t uuid, uint32_t location, const char *name);

void perfetto_write_counter_track(struct perfetto *perfetto, uint64_t uuid, uint32_t location,
	const struct measure_metric_member *member);

/* An event with fields of its own, which are written between the two. */
struct perfetto_event {
	size_t packet, event; /* where they begin */
};

struct perfetto_event perfetto_begin_event(
	struct perfetto *perfetto, uint64_t ns, enum perfetto_event_type type);
void perfetto_end_event(struct perfetto *perfetto, const struct perfetto_event *event);

/* Fields of such an event. */
void perfetto_annotate_uint(struct perfetto *perfetto, const char *name, uint64_t value);
void perfetto_annotate_text(struct perfetto *perfetto, const char *name, const char *value);

/* Where a call begins, or a sample was taken. */
void perfetto_write_region_event(
	struct perfetto *perfetto, uint64_t ns, enum perfetto_event_type type, uint32_t region);

/* Where the innermost slice ends. */
void perfetto_write_end(struct perfetto *perfetto, uint64_t ns);

#endif
