/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The settings of one recording: config.def as a struct, with a parser and a printer.
 * Allocates nothing; all of it may be used inside a recorded process. */
#ifndef MEASURE_CONFIG_SETTINGS_H
#define MEASURE_CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/journal_records.h"
#include "status.h"

#define MEASURE_SETTINGS_TEXT 1024 /* bytes of a TEXT value, with its NUL */

#define MEASURE_RANK_NONE UINT32_MAX

/* Values of `spool`, in the order of its words in config.def. */
enum measure_spool_mode {
	MEASURE_SPOOL_ALWAYS = 0,
	MEASURE_SPOOL_FULL = 1,
	MEASURE_SPOOL_END = 2,
	MEASURE_SPOOL_PHASE = 3
};

/* Values of `full`. */
enum measure_full_policy {
	MEASURE_FULL_WAIT = 0,
	MEASURE_FULL_DROP = 1,
	MEASURE_FULL_STOP = 2
};

/* Values of `openmp`. */
enum measure_openmp_mode {
	MEASURE_OPENMP_AUTO = 0,
	MEASURE_OPENMP_GOMP = 1,
	MEASURE_OPENMP_OMPT = 2
};

/* Values of `children`. */
enum measure_children_mode { MEASURE_CHILDREN_IGNORE = 0, MEASURE_CHILDREN_FOLLOW = 1 };

/* Values of `topology`. */
enum measure_topology_mode {
	MEASURE_TOPOLOGY_AUTO = 0,
	MEASURE_TOPOLOGY_ALWAYS = 1,
	MEASURE_TOPOLOGY_NO = 2
};

enum measure_setting_type {
	MEASURE_SETTING_TEXT,
	MEASURE_SETTING_RULES,
	MEASURE_SETTING_SIZE,
	MEASURE_SETTING_NUMBER,
	MEASURE_SETTING_SECONDS,
	MEASURE_SETTING_MILLISECONDS,
	MEASURE_SETTING_FLAG,
	MEASURE_SETTING_CHOICE
};

#define TEXT(name)   char name[MEASURE_SETTINGS_TEXT]
#define RULES(name)  char name[MEASURE_SETTINGS_TEXT]
#define SIZE(name)   uint64_t name
#define NUMBER(name) uint64_t name
#define SECONDS(name)      uint64_t name
#define MILLISECONDS(name) uint64_t name
#define FLAG(name)   bool name
#define CHOICE(name) uint32_t name
struct measure_settings {
#define OPTION(name, TYPE, letter, argument, initial, text) TYPE(name);
#define INTERNAL(name, TYPE, initial, text)		    TYPE(name);
#include "config.def"
#undef OPTION
#undef INTERNAL
};
#undef TEXT
#undef RULES
#undef SIZE
#undef NUMBER
#undef SECONDS
#undef MILLISECONDS
#undef FLAG
#undef CHOICE

/* One row of config.def. */
struct measure_setting {
	const char *name;
	enum measure_setting_type type;
	bool is_option;	      /* else found out by `measure` */
	char letter;	      /* 0: none */
	const char *argument; /* NULL: takes none */
	const char *initial;
	const char *text;
	size_t offset; /* in struct measure_settings */
};

extern const struct measure_setting measure_settings_table[];
extern const size_t measure_settings_nr;

void measure_settings_defaults(struct measure_settings *settings);

/* Sets one value from its text. MEASURE_ERROR_NOT_FOUND: no such name. MEASURE_ERROR_USAGE: not
 * a value of it. *why: a constant text that says so, to be put behind the name. On error the
 * old value stays. */
measure_status_t measure_settings_set(struct measure_settings *settings, const char *name,
	const char *value, const char **why);

/* Sets values from lines "name = value"; empty lines and lines that start with # are skipped.
 * Stops at the first line that is wrong. */
measure_status_t measure_settings_parse(struct measure_settings *settings, const char *text,
	const char **why);

/* The value as text, as measure_settings_set() takes it; at most `size` bytes with the NUL.
 * Returns its length. */
size_t measure_setting_print(const struct measure_settings *settings,
	const struct measure_setting *setting, char *buffer, size_t size);

/* All values as lines "name = value\n". Returns the length, NUL not counted;
 * MEASURE_ERROR_MEMORY if it does not fit. */
measure_status_t measure_settings_print(const struct measure_settings *settings, char *buffer,
	size_t size, size_t *length);

/* Bytes of "512K", "64 MB", "1.5GiB" or a number. */
bool measure_size_parse(const char *value, uint64_t *size);

/* "off", or a percentage above 0 and at most 100 ("5", "0.5%"), as a share: 0 to 1. False: it is
 * neither. */
bool measure_share_parse(const char *value, double *share);

/* "all", a time with its unit ("60s") or a size with its unit ("1G"): how long, and how many bytes
 * of events, are kept; what does not limit them is UINT64_MAX. False: it is none of these. */
bool measure_keep_parse(const char *value, uint64_t *ns, uint64_t *bytes);

/* What --profile and --keep come to. */
enum measure_kept measure_settings_kept(const struct measure_settings *settings);

/* May its argument be left out? */
static inline bool measure_setting_is_optional(const struct measure_setting *setting)
{
	return setting->argument && setting->argument[0] == '[';
}

/* Name of a row's environment variable, MEASURE_<NAME>; always fits into 64 bytes. */
void measure_setting_environment(const struct measure_setting *setting, char name[64]);

#endif
