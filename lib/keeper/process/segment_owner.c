/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The segment that a keeper keeps; see segment_owner.h. */
#include "config.h"

#include "segment_owner.h"

#include <unistd.h>

#include "clock/clock.h"
#include "launch/plan/launcher.h"
#include "keeper/spool/written_bytes.h"

#define JOURNAL_SIZE  (UINT64_C(128) << 20) /* sparse; bounds the definitions of a process */
#define MAX_LOCATIONS 16384

/* Where the address space is limited, the program must have room for the segment in it: of the
 * whole at most so much for the spare chunks, the journal, and what each location has. */
#define SHARE_OF_SPARE     4
#define SHARE_OF_JOURNAL   8
#define SHARE_OF_LOCATIONS 8
#define LOCATION_SIZE      8448 /* its state, releases and stack blocks, roughly */

static uint64_t segment_owner_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void choose_size(const struct measure_keeper *keeper, struct measure_segment_size *size)
{
	uint64_t space = keeper->address_space, chunk = keeper->settings->chunk;

	size->buffer_size = measure_written_bytes_buffer(keeper->settings);
	size->chunk_size = (uint32_t)chunk;
	size->max_locations = (uint32_t)segment_owner_least(
		MAX_LOCATIONS, space / SHARE_OF_LOCATIONS / LOCATION_SIZE + 1);
	size->journal_size = segment_owner_least(JOURNAL_SIZE, space / SHARE_OF_JOURNAL);
	/* How many threads may have a chunk beyond the bound of event memory. */
	size->nr_spare_chunks =
		(uint32_t)segment_owner_least(size->max_locations, space / SHARE_OF_SPARE / chunk);
	size->filter_text = keeper->rules->text;
	size->filter_text_size = keeper->rules->size;
	size->is_kept = keeper->settings->spool == MEASURE_SPOOL_END;
	size->full_policy = keeper->settings->full;
	size->patience = (uint32_t)keeper->settings->patience;
}

void measure_segment_owner_count_keepers(
	const struct measure_keeper *keeper, struct measure_segment_header *header)
{
	atomic_store(&header->counts[MEASURE_COUNT_KEEPERS], keeper->nr_before);
}

static void take_charge(const struct measure_keeper *keeper, struct measure_segment_header *header)
{
	measure_segment_owner_count_keepers(keeper, header);
	atomic_store(&header->guard_pid, keeper->guard);
	atomic_store(&header->keeper_pid, getpid());
}

/* That of a followed process runs since its creator's time. `origin` 0: from now on. */
static measure_status_t start_clock(const struct measure_keeper *keeper, uint64_t origin)
{
	const struct measure_settings *settings = keeper->settings;
	struct measure_clock_choice choice = {settings->clock,
		measure_launcher_is_there(settings) ? (uint32_t)settings->rank : 0, origin};

	return keeper->followed ? MEASURE_OK : measure_clock_start(&choice);
}

measure_status_t measure_segment_owner_make(
	struct measure_keeper *keeper, struct measure_segment *segment)
{
	struct measure_segment_size size = {0};
	struct measure_settings told = *keeper->settings;
	size_t length;

	measure_status_t status = start_clock(keeper, 0);
	if (status != MEASURE_OK)
		return status;
	choose_size(keeper, &size);
	if (keeper->memory_fd < 0)
		return MEASURE_ERROR_MEMORY;
	status = measure_segment_lay_out(keeper->memory_fd, &size, segment);
	if (status != MEASURE_OK)
		return status;
	told.clock_origin = measure_clock_origin();
	status = measure_settings_print(
		&told, segment->header->config, sizeof(segment->header->config), &length);
	if (status != MEASURE_OK)
		return status;
	take_charge(keeper, segment->header);
	keeper->known->layout = segment->layout;
	keeper->known->clock_origin = told.clock_origin;
	measure_segment_seal(keeper->memory_fd);
	return MEASURE_OK;
}

bool measure_segment_owner_is_there(const struct measure_keeper *keeper)
{
	return keeper->nr_before > 0 && measure_segment_is_sealed(keeper->memory_fd);
}

/* Of what lies in the segment itself nothing is needed to go on with it. */
measure_status_t measure_segment_owner_take_over(
	struct measure_keeper *keeper, struct measure_segment *segment)
{
	const struct measure_keeper_state *known = keeper->known;
	measure_status_t status = start_clock(keeper, known->clock_origin);

	if (status == MEASURE_OK)
		status = measure_segment_take_over(keeper->memory_fd, &known->layout, segment);
	if (status == MEASURE_OK)
		take_charge(keeper, segment->header);
	return status;
}
