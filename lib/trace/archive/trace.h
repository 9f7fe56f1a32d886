/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An archive opened for reading: any OTF2 archive, of any tool. Definitions and clock
 * offsets are in memory; events are read location by location (stream.h). One thread; others read
 * by readers of their own. */
#ifndef MEASURE_TRACE_ARCHIVE_TRACE_H
#define MEASURE_TRACE_ARCHIVE_TRACE_H

#include <stdint.h>

#include <otf2/otf2.h>

#include "clock/clock_function.h"
#include "definitions.h"
#include "event_clock.h"
#include "trace/common/findings.h"
#include "status.h"

struct measure_id_mapping;
struct measure_selection;

struct measure_trace {
	char *anchor;     /* path of the .otf2 file */
	const char *name; /* for people, where that is another one; or NULL */
	char *creator;
	OTF2_Reader *reader;
	struct measure_findings *findings;
	struct measure_definitions definitions;
	struct measure_clock_function *offsets; /* by location index */
	/* by location index: what gives times instead; NULL, as it is opened: the offsets do */
	const struct measure_event_clock *clocks;
	/* by location index; NULL: ids in its event file are those of the definitions */
	struct measure_id_mapping **mappings;
	bool is_foreign;     /* event files are compressed or in a container: the OTF2 library reads them */
	uint64_t chunk_size; /* of event files */
	/* relations to look for; NULL, as it is opened: as relations.def has them */
	const struct measure_selection *selection;
	uint32_t *reading_order; /* location indices, those of one location group together */
};

/* Opens the archive at `path`: a directory with one .otf2 file in it, or that file. Reads
 * the definitions; what is wrong with them goes to `findings`, which must outlive the trace.
 * On any other status than MEASURE_OK, measure_trace_error() says what to do about it. */
measure_status_t measure_trace_open(
	const char *path, struct measure_findings *findings, struct measure_trace **trace);

void measure_trace_close(struct measure_trace *trace);

/* The same archive once more, for another thread to read the events of some locations: `locations`
 * in reading order, from `first` to before `end`. The definitions are those of `trace`, which must
 * outlive the reader; what is wrong with events goes to `findings`. */
measure_status_t measure_trace_open_reader(const struct measure_trace *trace, size_t first,
	size_t end, struct measure_findings *findings, struct measure_trace *reader);
void measure_trace_close_reader(struct measure_trace *reader);

/* One line about the last thing that failed in this thread, with file and remedy, without a
 * newline. */
const char *measure_trace_error(void);

/* What people know it by. */
static inline const char *measure_trace_name(const struct measure_trace *trace)
{
	return trace->name ? trace->name : trace->anchor;
}

/* Path of a file that belongs to a location (its index), as ".def"; to be freed. */
char *measure_trace_file(const struct measure_trace *trace, uint32_t location, const char *suffix);

/* Ticks of corrected time as seconds since the start of the trace. */
double measure_trace_seconds(const struct measure_trace *trace, uint64_t time);

/* Length of a time span in seconds. */
double measure_trace_span(const struct measure_trace *trace, uint64_t ticks);

#endif
