/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts in the run directory as the keepers of a job see each other's: DIR/.parts/<part> while it
 * is written, <part>.done when it is finished, a file <part>.off when the process recorded
 * nothing. Those of processes that were made by others of the run, or are what one of
 * them has become, have a + behind their names, and leave nothing where they recorded nothing: they
 * are as many as they are. A part has a file
 * `owner` that names the process in charge of it; the owner of a part that is done may be there
 * still, to assemble. */
#ifndef MEASURE_ASSEMBLE_PART_PART_DIRECTORY_H
#define MEASURE_ASSEMBLE_PART_PART_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/run_layout.h"
#include "status.h"

#define MEASURE_PART_NAME 512 /* bytes of a part's name, with its NUL */

/* Makes a part for a process of this host, owned by `measure` itself until the keeper takes it
 * over. *part_fd is close-on-exec. Says what is wrong. */
measure_status_t measure_part_create(int parts_fd, char name[MEASURE_PART_NAME], int *part_fd);

/* The same for a process that was made by one of this run, or for the generation-th program that
 * one has become, from 2 on; to be called by its creator's keeper. */
measure_status_t measure_part_create_child(
	int parts_fd, pid_t pid, uint32_t generation, char name[MEASURE_PART_NAME], int *part_fd);

/* Makes this process the owner. */
measure_status_t measure_part_own(int part_fd);

/* Notes in the part that the disk does not take its rest: by a new name, which needs no space. */
void measure_part_break(int part_fd);

/* It is neither finished nor removed. */
bool measure_part_is_in_work(int parts_fd, const char *name);

/* Somebody has removed the directory that is open here: says so. `path`: of the run. */
bool measure_part_say_removed(int part_fd, const char *path);

/* The part is finished: <part>.done. */
measure_status_t measure_part_done(int parts_fd, const char *name);

/* Nothing was recorded: removes the part, leaves <part>.off. */
void measure_part_off(int parts_fd, const char *name);

/* Its keeper is there, and has not done yet. */
bool measure_part_is_kept(int parts_fd, const char *name);

/* What is in a `.parts`. */
struct measure_parts {
	uint32_t nr_done;
	uint32_t nr_lingering; /* of those, with an owner that lives on this host */
	uint32_t nr_done_children; /* of those, made by others of the run */
	uint32_t nr_off;
	uint32_t nr_unrecorded; /* ranks that are known to run without Measure */
	uint32_t nr_alive;          /* in work, as above */
	uint32_t nr_alive_children; /* of those, made by others */
	uint32_t nr_ending;         /* of those, whose process is gone: soon done */
	uint32_t nr_dead;
	uint32_t nr_elsewhere;
	int64_t bytes_elsewhere; /* size of their keepers' journals, which grow while they live */
	bool is_empty;		 /* no entry of any kind */
	bool is_assembling;
};

measure_status_t measure_parts_count(int parts_fd, struct measure_parts *parts);

/* One keeper of a job assembles. False: another one does already (errno is EEXIST), or nothing can
 * be made there. */
bool measure_parts_begin_assembly(int parts_fd);

/* It has failed: somebody else may. */
void measure_parts_end_assembly(int parts_fd);

/* Who has begun was on this host and is gone. */
bool measure_parts_assembler_is_dead(int parts_fd);

/* Removes all but parts with data, so that the directory is empty where there are none. */
void measure_parts_remove(int parts_fd);

#endif
