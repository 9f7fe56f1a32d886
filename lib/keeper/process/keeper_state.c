/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of a guard and its keepers; see keeper_state.h. */
#include "config.h"

#include "keeper_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "assemble/part/journal_file.h"
#include "format/journal_records.h"
#include "format/run_layout.h"

/* Where there is no memory to share, each keeper knows what it finds out itself. */
static struct measure_keeper_state own;

struct measure_keeper_state *measure_keeper_state_make(void)
{
	void *known = mmap(NULL, sizeof(struct measure_keeper_state), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return known != MAP_FAILED ? known : &own;
}

void measure_keeper_state_drop(struct measure_keeper_state *known)
{
	if (known != &own)
		munmap(known, sizeof(*known));
}

/* ------------------------------------------------------ programs not recorded --- */

static bool unrecorded_is(
	const struct measure_unrecorded_program *row, const char *program, const char *reason)
{
	return strncmp(row->program, program, sizeof(row->program) - 1) == 0 &&
	       strncmp(row->reason, reason, sizeof(row->reason) - 1) == 0;
}

void measure_unrecorded_count(
	struct measure_unrecorded_programs *unrecorded, const char *program, const char *reason)
{
	struct measure_unrecorded_program *row = unrecorded->programs;
	struct measure_unrecorded_program *last = row + MEASURE_UNRECORDED_PROGRAMS - 1;

	while (row < last && row->nr > 0 && !unrecorded_is(row, program, reason))
		row++;
	if (row->nr == 0 && row < last) {
		snprintf(row->program, sizeof(row->program), "%s", program);
		snprintf(row->reason, sizeof(row->reason), "%s", reason);
	}
	row->nr++;
}

measure_status_t measure_unrecorded_write(
	const struct measure_unrecorded_programs *unrecorded, int part_fd)
{
	measure_status_t status = MEASURE_OK;
	uint8_t frame[512];

	for (int i = 0; i < MEASURE_UNRECORDED_PROGRAMS && status == MEASURE_OK; i++) {
		const struct measure_unrecorded_program *row = &unrecorded->programs[i];
		const struct measure_def_unrecorded def = {row->program, row->reason, row->nr};

		if (row->nr == 0)
			continue;
		status = measure_journal_append(part_fd, MEASURE_JOURNAL_OF_KEEPER, frame,
			measure_def_unrecorded_frame(&def, frame, sizeof(frame)));
	}
	return status;
}
