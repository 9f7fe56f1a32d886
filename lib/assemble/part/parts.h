/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All parts of a run directory, and whether the processes in charge of them still live. */
#ifndef MEASURE_ASSEMBLE_PART_PARTS_H
#define MEASURE_ASSEMBLE_PART_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "format/run_layout.h"
#include "status.h"

/* A part that is not finished, but whose keeper on another host wrote to it less than so many
 * seconds ago, is taken for alive: keepers write every few seconds. */
#define MEASURE_PART_SILENCE 30

struct measure_part_entry {
	char *name;
	bool is_finished; /* its keeper's journal has an END */
	bool is_alive;	  /* not finished, and its keeper lives or may live */
	bool is_elsewhere; /* its keeper runs or ran on another host */
	int64_t owner_pid;
	char owner_host[256];
};

typedef MEASURE_ARRAY(struct measure_part_entry) measure_part_list_t;

/* Lists the parts in name order, so that the result does not depend on the file system. */
measure_status_t measure_parts_list(int parts_fd, measure_part_list_t *list);
void measure_parts_list_free(measure_part_list_t *list);

/* A process in charge of something in `.parts`: files that name one say "PID START HOST". */
struct measure_owner {
	int64_t pid;
	uint64_t start_time; /* as in /proc */
	char host[256];
};

enum measure_owner_life {
	MEASURE_OWNER_ALIVE,    /* lives on this host */
	MEASURE_OWNER_DEAD,     /* was on this host and is gone */
	MEASURE_OWNER_ELSEWHERE /* is or was on another host */
};

enum measure_owner_life measure_owner_look(const struct measure_owner *owner);

/* Such a text about this process; returns its length. */
int measure_owner_write(char text[MEASURE_OWNER_MOST]);

/* False: it names no process. */
bool measure_owner_parse(const char *text, struct measure_owner *owner);

/* "unknown" where it has none. */
void measure_host_name(char name[256]);

#endif
