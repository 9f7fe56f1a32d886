/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Command line and environment of `measure`, driven by config.def. */
#ifndef MEASURE_LAUNCH_OPTIONS_OPTIONS_H
#define MEASURE_LAUNCH_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config/settings.h"

struct measure_options {
	struct measure_settings settings;
	bool is_dry_run;
	bool is_calibration;
	bool is_event_calibration;
	bool is_json;     /* of a calibration */
	uint32_t nr_runs; /* the same */
	bool has_runs;
	pid_t attach_pid; /* a process to be recorded; 0: none */
	pid_t detach_pid; /* one that is not to be recorded any more; 0: none */
	bool is_wrong;  /* there is a mistake, and it was said; never with --lenient */
	char **program; /* its name and arguments; empty: none was named */
	const char *last_value; /* the last word that was taken as the value of an option, if any */
	const struct measure_setting *last_option;
};

enum measure_option_request {
	MEASURE_REQUEST_RUN,
	MEASURE_REQUEST_HELP,
	MEASURE_REQUEST_HELP_CONFIG,
	MEASURE_REQUEST_VERSION
};

/* The environment first, options override it. The program's own arguments are left alone. */
enum measure_option_request measure_options_parse(
	struct measure_options *options, int count, char **arguments);

/* Where a setting's value comes from: "--clock" or "MEASURE_CLOCK"; for messages. */
const char *measure_options_source(const char *name);

/* Sets the environment variables of all options that were given, for a `measure` further on. */
measure_status_t measure_options_export(const struct measure_options *options);

/* "local_size" is --local-size. */
void measure_option_name(const struct measure_setting *setting, char name[64]);

void measure_options_help(void);
void measure_options_help_config(void);

/* "name = value" on stdout, options or what was found out. */
void measure_options_print(const struct measure_settings *settings, bool want_options);

#endif
