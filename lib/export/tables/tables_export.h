/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the parts of an export to tables share. Locations are numbered as measure-analyze numbers
 * them; call paths as the profile of the conversion does. */
#ifndef MEASURE_EXPORT_TABLES_TABLES_EXPORT_H
#define MEASURE_EXPORT_TABLES_TABLES_EXPORT_H

#include "export/conversion/sorted_messages.h"
#include "tables.h"

/* What a collective record says of a member. */
struct tables_traffic {
	uint64_t position;
	uint64_t sent, received; /* bytes */
};

struct tables_location {
	MEASURE_GROWING(struct tables_traffic, traffic); /* by position */
	uint64_t nr_events;
};

struct tables_collective {
	uint64_t start_ns, end_ns, ordinal;
	uint32_t comm, region, root, relation;
	size_t first_member, nr_members;
};

struct tables_member {
	uint64_t begin_ns, end_ns, waiting_ns;
	uint64_t last_position;
	uint32_t location;
};

struct tables_export {
	struct measure_conversion *conversion;
	struct tables_writer *writer;
	uint32_t *locations;                  /* those selected, ascending */
	struct tables_location *per_location; /* by location */
	struct sorted_messages messages;
	MEASURE_GROWING(struct tables_collective, collectives);
	MEASURE_GROWING(struct tables_member, members); /* those of a collective together */
};

/* Nanoseconds of a length of time; a time since the start of the trace. */
static inline struct tables_value tables_length(const struct tables_export *export, uint64_t ticks)
{
	return tables_integer(measure_conversion_length_ns(export->conversion, ticks));
}

static inline struct tables_value tables_time(const struct tables_export *export, uint64_t time)
{
	return tables_integer(measure_conversion_ns(export->conversion, time));
}

/* Is the whole run exported? Root causes and efficiencies are known of that only. */
bool tables_is_whole(const struct tables_export *export);

/* That of the conversion, for a path of the waits; made if need be. */
uint32_t tables_path(const struct tables_export *export, uint32_t path);

/* Each writes tables; calls first, paths last: what comes before may add paths. */
measure_status_t tables_write_calls(struct tables_export *export); /* metric_values, too */
measure_status_t tables_find_matches(struct tables_export *export);
void tables_write_matches(struct tables_export *export);
void tables_write_waits(struct tables_export *export);   /* of calls */
void tables_write_causes(struct tables_export *export);  /* sums, delays, critical path */
void tables_write_profile(struct tables_export *export); /* ... by location and path */
void tables_write_efficiencies(struct tables_export *export);
void tables_write_definitions(struct tables_export *export);

#endif
