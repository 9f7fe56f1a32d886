/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The definitions of an archive as plain data, for archive_writer.h to write. Enumerations are
 * OTF2's (OTF2_Definitions.h, OTF2_GeneralDefinitions.h); ids are indices into the arrays here,
 * strings are ids of `strings`, whose first one is "". */
#ifndef MEASURE_ASSEMBLE_WRITE_ARCHIVE_DEFINITIONS_H
#define MEASURE_ASSEMBLE_WRITE_ARCHIVE_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/intern.h"
#include "clock/clock_function.h"

struct measure_otf2_clock {
	uint64_t resolution; /* ticks per second */
	uint64_t begin;
	uint64_t length;
	uint64_t realtime; /* ns since the epoch at `begin`; UINT64_MAX: unknown */
};

struct measure_otf2_paradigm {
	uint8_t paradigm;
	uint8_t class;
	uint32_t name;
	uint32_t comm_template;   /* name of communicators without one, "Comm ${id}" */
	uint32_t window_template; /* name of windows without one; 0: it has no windows */
};

struct measure_otf2_node {
	uint32_t name;
	uint32_t class;
	uint32_t parent; /* UINT32_MAX: the root; parents come before their children */
	uint8_t domain;
};

struct measure_otf2_process {
	uint32_t id; /* of the location group */
	uint32_t name;
	uint32_t node; /* where it is */
	uint32_t host; /* the node whose memory it shares: the same or one above; or the machine */
	uint32_t creator; /* another one; UINT32_MAX: none */
	uint8_t type;     /* OTF2_LocationGroupType */
};

struct measure_otf2_location {
	uint64_t id;
	uint32_t name;
	uint64_t nr_events;
	uint32_t process; /* id of the location group */
	uint8_t type;     /* OTF2_LocationType */
};

struct measure_otf2_region {
	uint32_t name;
	uint32_t canonical;
	uint32_t file;
	uint32_t begin_line;
	uint32_t end_line;
	uint32_t flags;
	uint32_t role;
	uint32_t paradigm;
	uint32_t module; /* file of the program or library that has it: the description */
};

struct measure_otf2_group {
	uint32_t name;
	uint8_t type;
	uint8_t paradigm;
	uint32_t nr_members;
	const uint64_t *members;
};

struct measure_otf2_comm {
	uint32_t name;
	uint32_t group;
	uint32_t parent; /* UINT32_MAX: none; parents come before their children */
	uint32_t flags;
	bool is_inter;
	uint32_t other_group; /* of an intercommunicator */
};

struct measure_otf2_dimension {
	uint32_t name;
	uint32_t size;
	bool is_periodic;
};

struct measure_otf2_topology {
	uint32_t name;
	uint32_t comm;
	uint32_t first_dimension; /* they follow one another */
	uint8_t nr_dimensions;
};

/* Of one rank in one topology. */
struct measure_otf2_coordinate {
	uint32_t topology;
	uint32_t rank; /* in the topology's communicator */
	const uint32_t *coordinates;
};

struct measure_otf2_window {
	uint32_t name;
	uint32_t comm;
	uint32_t flags;
};

struct measure_otf2_io_paradigm {
	uint8_t id;
	uint32_t identification;
	uint32_t name;
	uint8_t class;
	uint32_t flags;
	uint32_t version; /* 0: unknown */
};

struct measure_otf2_io_file {
	uint32_t name;
	uint32_t node; /* that it belongs to: one, or the whole machine */
	uint32_t file_system; /* 0: unknown */
};

struct measure_otf2_io_handle {
	uint32_t name;
	uint32_t file; /* UINT32_MAX: none */
	uint8_t paradigm;
	uint32_t flags;
	uint32_t comm;	 /* UINT32_MAX: none */
	uint32_t parent; /* UINT32_MAX: none; parents come before their children */
	uint8_t access;	 /* of one that is pre-created */
	uint32_t status_flags;
};

struct measure_otf2_attribute {
	uint32_t name;
	uint32_t description;
	uint32_t type;
};

struct measure_otf2_parameter {
	uint32_t name;
	uint32_t type; /* enum measure_parameter_type */
};

/* Its time is that of the archive: readers do not correct it. */
struct measure_otf2_marker {
	uint64_t time;
	uint64_t location;
	const char *category;
	const char *text;
	uint8_t severity;
};

struct measure_otf2_metric {
	uint32_t name;
	uint32_t description;
	uint32_t unit;
	uint32_t type;
	uint32_t mode;
	uint32_t value_type;
	uint32_t base;
	int64_t exponent;
};

struct measure_otf2_metric_class {
	uint32_t occurrence;
	uint32_t recorder; /* OTF2_RecorderKind */
	uint32_t nr_members;
	const uint32_t *members;
};

struct measure_otf2_metric_recorder {
	uint32_t metric_class;
	uint64_t location; /* that has its values */
};

struct measure_otf2_source {
	uint32_t file;
	uint32_t line;
};

struct measure_otf2_context {
	uint32_t region;
	uint32_t source; /* UINT32_MAX: unknown */
	uint32_t parent; /* UINT32_MAX: none; parents come before their children */
};

struct measure_otf2_generator {
	uint32_t name;
	uint32_t mode;
	uint32_t base;
	int64_t exponent;
	uint64_t period;
};

enum measure_otf2_value { MEASURE_OTF2_UINT64, MEASURE_OTF2_DOUBLE, MEASURE_OTF2_STRING };

enum measure_otf2_owner { MEASURE_OTF2_OF_PROCESS, MEASURE_OTF2_OF_LOCATION, MEASURE_OTF2_OF_NODE };

struct measure_otf2_property {
	enum measure_otf2_owner of;
	uint64_t owner;
	uint32_t name;
	enum measure_otf2_value type;
	uint64_t number; /* or a string's id */
	double real;
};

struct measure_archive_definitions {
	struct measure_otf2_clock clock;
	struct measure_intern strings;
	uint32_t file_system; /* name of the property of a file */
	MEASURE_ARRAY(struct measure_otf2_marker) markers; /* in order of time */
#define DEFINITION(type, array, write) MEASURE_ARRAY(struct measure_otf2_##type) array;
#include "archive_definitions.def"
#undef DEFINITION
};

/* What the local definition files of one process say: ids in its event files to ids of the
 * archive. Without entries, or where local and global ids are the same: no table. */
typedef MEASURE_ARRAY(uint32_t) measure_id_map_t;

struct measure_local_definitions {
#define ID_MAP(kind, map) measure_id_map_t map;
#include "id_maps.def"
#undef ID_MAP
	const struct measure_clock_function *clock; /* NULL: no offsets */
};

#endif
