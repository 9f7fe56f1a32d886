/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Creates the run directory at a path, whatever exists there. */
#ifndef MEASURE_LAUNCH_RUNDIR_RUN_CREATE_H
#define MEASURE_LAUNCH_RUNDIR_RUN_CREATE_H

#include <stdbool.h>
#include <stddef.h>

#include <stdio.h>

#include "config/settings.h"
#include "status.h"


/* Makes the directory with `.parts` and measure.cfg in it. An older run there is moved to
 * path.1 or the next free number; beside a run that is still recording the new one gets that
 * number itself, and `path` says so. Anything else there is left alone: MEASURE_ERROR_EXISTS.
 * Says what is wrong. */
measure_status_t measure_rundir_create(
	const struct measure_settings *settings, char *path, size_t size);

/* MEASURE_ERROR_USAGE: what is at this path is in the way, which is said. */
measure_status_t measure_rundir_look(const char *path);

/* Removes what measure_rundir_create() made. Keeps errno. */
void measure_rundir_abandon(const char *path);

/* Something is at this absolute path that another user has made, in a place where others than its
 * owner may: a name that can be guessed may have been taken to see what we do with it. */
bool measure_directory_is_planted(const char *path);

/* Makes or replaces a file in a directory of ours, for writing. Not through a link that somebody
 * has put there: NULL, and errno says so. */
FILE *measure_directory_file(const char *path);

/* Makes all directories above `path` as far as it can; making `path` itself shows what is wrong. */
void measure_directory_make_parents(const char *path);

#endif
