/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From what each process defined to the definitions of one archive: equal things become one,
 * and each process gets the tables from its ids to the archive's. */
#ifndef MEASURE_ASSEMBLE_UNIFY_UNIFY_H
#define MEASURE_ASSEMBLE_UNIFY_UNIFY_H

#include "job.h"
#include "assemble/clocks/clock_correction.h"
#include "base/array.h"
#include "assemble/write/archive_definitions.h"
#include "status.h"

/* A location of a process that has a series of what its keeper has sampled. */
struct measure_sampled_location {
	size_t process; /* of the job */
	uint32_t series;
	uint64_t id;
	measure_id_map_t metric_classes; /* of the archive, by those of the series */
};

struct measure_node_topology;

struct measure_unified {
	const struct measure_job *job;
	struct measure_archive_definitions definitions;
	MEASURE_ARRAY(struct measure_local_definitions) locals; /* by process of the job */
	struct measure_intern groups;
	struct measure_intern regions;
	struct measure_intern filtered; /* names of regions that the filter left out */
	struct measure_intern filtered_known; /* of each: name, canonical name, file, each with its NUL */
	struct measure_intern attributes;
	struct measure_intern parameters;
	struct measure_intern metrics;
	struct measure_intern metric_classes;
	MEASURE_ARRAY(struct measure_sampled_location) sampled;
	struct measure_intern sources;
	struct measure_intern contexts;
	struct measure_intern generators;
	uint64_t largest; /* members of a group, local definitions of a process or bytes of a string
			   */
	measure_status_t status; /* the first failure; later steps do nothing */
	uint32_t nr_nodes;       /* of the machine */
	uint32_t nr_unnamed_modules; /* files whose functions have no names */
};

/* Where a process is in the tree of nodes. */
struct measure_seat {
	uint32_t node;                           /* the lowest */
	uint32_t host;                           /* that has its memory */
	const struct measure_node_topology *topology; /* of that; NULL: not known */
};

/* Keeps the first failure. */
static inline void measure_unify_note(struct measure_unified *unified, measure_status_t status)
{
	if (unified->status == MEASURE_OK)
		unified->status = status;
}

/* Appends to an array. */
#define measure_unify_push(unified, array, ...)                                                    \
	measure_unify_note(unified, measure_array_push(array, __VA_ARGS__))

/* Id of a key in a set; 0 after a failure. */
static inline uint32_t measure_unify_intern(struct measure_unified *unified,
	struct measure_intern *set, const void *key, size_t size, bool *is_new)
{
	uint32_t id = 0;

	*is_new = false;
	measure_unify_note(unified, measure_intern_put(set, key, size, &id, is_new));
	return id;
}

/* The same; for a new key, an item is appended to the array that has them by id. */
#define measure_unify_put(unified, set, key, array, item)                                          \
	__extension__({                                                                            \
		bool is_new_;                                                                      \
		uint32_t id_ = measure_unify_intern(unified, set, &(key), sizeof(key), &is_new_);  \
		if (is_new_)                                                                       \
			measure_unify_push(unified, array, item);                                  \
		id_;                                                                               \
	})

/* Id of a text; 0 ("") after a failure. */
uint32_t measure_unify_string(struct measure_unified *unified, const char *text);

/* Id of a region; equal regions are one. */
uint32_t measure_unify_region(struct measure_unified *unified,
	const struct measure_otf2_region *region);

/* Id of a group; equal groups are one. */
uint32_t measure_unify_group(struct measure_unified *unified, uint8_t type, uint8_t paradigm,
	const uint64_t *members, uint32_t nr_members);

/* Ids of a metric as a record tells of it, and of a class; equal ones are one. */
uint32_t measure_unify_metric(
	struct measure_unified *unified, const struct measure_def_metric *from);
uint32_t measure_unify_metric_class(struct measure_unified *unified, uint32_t occurrence,
	uint32_t recorder, const uint32_t *members, uint32_t nr);

/* Parts of the whole, each in a file of its own. */
void measure_unify_regions(struct measure_unified *unified);
void measure_unify_comms(struct measure_unified *unified);
void measure_unify_topologies(struct measure_unified *unified); /* after the communicators */
void measure_unify_windows(struct measure_unified *unified); /* after the communicators */
void measure_unify_places(struct measure_unified *unified);
void measure_unify_nodes(
	struct measure_unified *unified, struct measure_seat *seats); /* by process */
void measure_unify_attributes(struct measure_unified *unified);
void measure_unify_markers(
	struct measure_unified *unified, const struct measure_clock_correction *timeline);
void measure_unify_metrics(struct measure_unified *unified);
void measure_unify_sampled(
	struct measure_unified *unified); /* after all of these but self-timings */
void measure_unify_self_timings(struct measure_unified *unified);
void measure_unify_io(struct measure_unified *unified); /* after places and communicators */
void measure_unify_paradigms(struct measure_unified *unified); /* after all that have one */

/* All of it. `unified` is all zero before, and must be freed also after an error. */
measure_status_t measure_unify(const struct measure_job *job,
	const struct measure_clock_correction *timeline, struct measure_unified *unified);
void measure_unified_free(struct measure_unified *unified);

/* OTF2 location id of a thread. */
static inline uint64_t measure_location_id(const struct measure_process *process, size_t index)
{
	return (uint64_t)index << 32 | process->id;
}

/* Locations of a process: one without events stands for a rank that left no part. */
static inline size_t measure_process_nr_locations(const struct measure_process *process)
{
	return process->part && process->part->locations.nr ? process->part->locations.nr : 1;
}

/* Code addresses of all processes by their names: unify_regions.c has the program's files open. */
struct measure_code;

/* The region of the function that a frame is in: that of its calls, where they were recorded. */
uint32_t measure_code_of_frame(struct measure_code *code, const struct measure_part *part,
	const struct measure_def_calling_context *def);

/* The source line of a frame; UINT32_MAX: unknown. */
uint32_t measure_code_source(struct measure_code *code, const struct measure_part *part,
	const struct measure_def_calling_context *def);

/* Behind all regions that have records of their own. */
void measure_unify_contexts(struct measure_unified *unified, struct measure_code *code);

#endif
