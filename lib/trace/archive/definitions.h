/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The global definitions of an archive. Every record that has an id is known by id; those
 * that somebody needs are kept whole, in order of definition. Ids may be sparse; all
 * references inside the kept records are indices into the arrays here, or MEASURE_NONE
 * (undefined, or defined nowhere: then a finding tells). */
#ifndef MEASURE_TRACE_ARCHIVE_DEFINITIONS_H
#define MEASURE_TRACE_ARCHIVE_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "base/likely.h"
#include "trace/common/findings.h"
#include "trace/common/containers.h"

enum measure_kind {
#define KIND(NAME, word, ids) MEASURE_KIND_##NAME,
#include "definition_kinds.def"
#undef KIND
	MEASURE_NR_KINDS,
	MEASURE_KIND_NONE = MEASURE_NR_KINDS
};

extern const char *const measure_kind_words[MEASURE_NR_KINDS];

/* Kind of what a metric instance is about, by its OTF2_MetricScope; MEASURE_NR_KINDS: of none. */
enum measure_kind measure_kind_of_scope(OTF2_MetricScope scope);

/* ... and of what a group's members are; of ranks, which are indices, MEASURE_KIND_NONE. */
enum measure_kind measure_kind_of_members(OTF2_GroupType type);

struct measure_region {
	uint32_t id;
	uint32_t name, canonical_name, file; /* strings */
	uint32_t description;                /* of a function of Measure's: its module */
	uint32_t begin_line, end_line;
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
	OTF2_RegionFlag flags;
};

struct measure_tree_node {
	uint32_t id;
	uint32_t name;
	uint32_t parent; /* tree node, or MEASURE_NONE */
	bool has_shared_memory;
};

struct measure_location_group {
	uint32_t id;
	uint32_t name;
	uint32_t creator; /* location group */
	OTF2_LocationGroupType type;
	uint32_t tree_node; /* where it ran, or MEASURE_NONE */
	uint32_t host;      /* the tree node whose memory it shares; else tree_node */
	uint32_t nr_threads; /* locations of type CPU_THREAD in it */
	uint32_t nr_locations;
	bool has_lost_ends; /* it says so: see MEASURE_PROPERTY_LOST_SPOOL */
};

struct measure_location_definition {
	uint64_t id;
	uint32_t name;
	uint32_t group; /* location group */
	uint64_t nr_events;
	uint64_t nr_found; /* events that could be read, MEASURE_NOT_READ before that */
	bool is_broken;    /* there are more, or there is no file */
	bool is_truncated; /* what wrote the archive says that events are missing at the end */
	OTF2_LocationType type;
	char *label; /* see labels.c */
};

#define MEASURE_NOT_READ UINT64_MAX

/* members: of COMM_LOCATIONS and LOCATIONS location indices, of COMM_GROUP indices into the
 * COMM_LOCATIONS of the same paradigm, of others ids. */
struct measure_group {
	uint32_t id;
	uint32_t name;
	uint32_t nr_members;
	OTF2_GroupType type;
	OTF2_Paradigm paradigm;
	OTF2_GroupFlag flags;
	uint64_t *members;
	bool is_ascending; /* its ranks are processes in ascending order, each known and once */
};

struct measure_comm {
	uint32_t id;
	uint32_t name;
	uint32_t parent; /* communicator; of an intercommunicator the common one */
	bool is_inter;
	uint32_t groups[2]; /* the second one only of an intercommunicator */
	OTF2_CommFlag flags;
	char *label; /* "communicator 3 (rows)", "team 3" */
};

struct measure_window {
	uint32_t id;
	uint32_t name;
	uint32_t comm; /* communicator */
	OTF2_RmaWinFlag flags;
	char *label; /* "window 2 (halo)" */
};

struct measure_io_handle {
	uint32_t id;
	uint32_t name;
	uint32_t comm; /* communicator, or MEASURE_NONE */
	uint32_t file; /* I/O file, or MEASURE_NONE */
	uint32_t paradigm; /* I/O paradigm */
	OTF2_IoHandleFlag flags;
	char *label; /* "handle 1 (data.out)" */
};

/* A regular file or a directory; an I/O paradigm. */
struct measure_io_name {
	uint32_t name;
};

/* Of samples. */
struct measure_interrupt_generator {
	uint32_t name;
	OTF2_Base base;
	int64_t exponent;
	uint64_t period; /* in base ^ exponent */
};

/* A Cartesian topology. */
struct measure_topology {
	uint32_t id;
	uint32_t name;
	uint32_t comm; /* communicator */
	uint8_t nr_dimensions;
	uint32_t sizes[UINT8_MAX]; /* of the dimensions; 0: not defined */
};

/* Where a rank is in a topology. */
struct measure_coordinate {
	uint32_t topology;
	uint32_t rank;
	uint8_t nr_dimensions;
	uint32_t *places;
};

/* A property of a location or a location group. */
struct measure_property {
	enum measure_kind kind;
	uint32_t owner; /* index of its kind */
	uint32_t name;
	OTF2_Type type;
	OTF2_AttributeValue value;
};

/* Of records. */
struct measure_attribute {
	uint32_t name;
	OTF2_Type type;
};

/* What Measure writes where it knows that the last events of a location are missing, the number of
 * them: measure-sync of a location whose file broke off (OTF2_UNDEFINED_UINT64: not known how
 * many), the recorder of a process that could not write all it had recorded. All names of lost
 * events begin so. */
#define MEASURE_PROPERTY_LOST_TRUNCATED "MEASURE::LOST_TRUNCATED"
#define MEASURE_PROPERTY_LOST_SPOOL     "MEASURE::LOST_SPOOL"

/* ... and of a process: why events of it are missing, one word; that of a slice. */
#define MEASURE_PROPERTY_CUT "MEASURE::CUT"
#define MEASURE_CUT_SLICE    "slice"

/* ... its rank as its launcher has it. */
#define MEASURE_PROPERTY_RANK "MEASURE::RANK"

/* What Measure calls the one on the Leave of a call that did nothing. */
#define MEASURE_ATTRIBUTE_REFUSED "Refused"

/* Of records of parameters. */
struct measure_parameter {
	uint32_t name;
};

struct measure_calling_context {
	uint32_t region;
	uint32_t parent; /* calling context, or MEASURE_NONE */
};

struct measure_metric_member {
	uint32_t name, unit; /* strings */
	OTF2_Type type;
	OTF2_MetricMode mode;
	OTF2_Base base;
	int64_t exponent; /* of a value: in base ^ exponent units */
};

struct measure_metric {
	uint32_t id;
	uint8_t nr_members;   /* of a class */
	uint32_t *members;    /* metric members */
	bool is_strict;       /* a class whose values come with each Enter and Leave */
	uint32_t instance_of; /* metric class, or MEASURE_NONE for a class */
};

struct measure_clock {
	bool is_defined;
	uint64_t resolution; /* ticks per second */
	uint64_t offset;     /* no corrected time is before it */
	uint64_t length;     /* no corrected time is after offset + length */
	uint64_t realtime;   /* nanoseconds since 1970 at offset, or all ones */
};

/* The index of each id below nr, MEASURE_NONE where it is not defined. */
struct measure_id_index {
	uint32_t *indices;
	size_t nr;
	bool is_identity; /* above that each id is its index */
};

/* Arrays and their lengths: regions[nr_regions] and so on. ids[kind] gives the index; for
 * kinds that are not kept whole it only tells that the id is there. */
struct measure_definitions {
	struct measure_map ids[MEASURE_NR_KINDS];
	struct measure_id_index small_ids[MEASURE_NR_KINDS]; /* the same, once all are linked */
	struct measure_map rank_groups; /* index by id: those that communicators can have */
	uint64_t nr_read; /* definition records of all kinds */
	struct measure_clock clock;
	uint32_t comm_locations[UINT8_MAX + 1]; /* group by paradigm */
	size_t nr_processes; /* location groups that are no devices */

#define ARRAY(type, array, links) MEASURE_GROWING(type, array);
#include "definition_arrays.def"
#undef ARRAY
};

/* A location group with streams of a device that its creator uses, which is a process. */
static inline bool measure_group_is_device(const struct measure_location_group *group)
{
	return group->type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR;
}

/* Reads the global definitions, `nr_most` of them. Faults in them are reported, and reading goes
 * on; the status tells when it could not go on (measure_trace_error has the reason). */
OTF2_ErrorCode measure_definitions_read(struct measure_definitions *definitions,
	OTF2_Reader *reader, uint64_t nr_most, struct measure_findings *findings);

/* Calls the callbacks, which are deleted, for the global definitions, at most `nr_most` of them. */
OTF2_ErrorCode measure_definitions_visit(OTF2_Reader *reader,
	OTF2_GlobalDefReaderCallbacks *callbacks, void *data, uint64_t nr_most, uint64_t *nr_read);

/* Turns the ids inside the records into indices. Called once, when all are read. */
void measure_definitions_link(struct measure_definitions *definitions);

void measure_definitions_free(struct measure_definitions *definitions);

/* labels.c: for link and free. */
void measure_definitions_label(struct measure_definitions *definitions);
void measure_definitions_unlabel(struct measure_definitions *definitions);

/* Index of an id, MEASURE_NONE where it is not defined. */
static inline uint32_t measure_definition_index(
	const struct measure_definitions *definitions, enum measure_kind kind, uint64_t id)
{
	const struct measure_id_index *small = &definitions->small_ids[kind];

	if (likely(id < small->nr))
		return small->indices[id];
	if (unlikely(small->is_identity))
		return (uint32_t)id;
	return measure_map_get(&definitions->ids[kind], measure_key_of(id));
}

/* What members of a group must be below where they are indices, of locations or ranks; else
 * UINT64_MAX. */
uint64_t measure_group_limit(
	const struct measure_definitions *definitions, const struct measure_group *group);

/* "Undefined" is all ones in the width of the kind. */
bool measure_kind_is_undefined(enum measure_kind kind, uint64_t id);

/* The text of a string index; "" for MEASURE_NONE. */
const char *measure_text(const struct measure_definitions *definitions, uint32_t string);

/* Names to print; never NULL. */
const char *measure_name_of_region(const struct measure_definitions *definitions, uint32_t region);
const char *measure_name_of_location(
	const struct measure_definitions *definitions, uint32_t location);
/* Of a node of the machine (a tree node): not always one of its own. */
const char *measure_name_of_host(const struct measure_definitions *definitions, uint32_t host);

#endif
