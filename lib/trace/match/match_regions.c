/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions that mean something to the matcher, by their names and roles. */
#include "config.h"

#include "match_internal.h"

#include <string.h>

/* The records of these four calls are alike but for the call. */
static enum region_kind kind_of_rma_region(const char *name)
{
	if (!strcmp(name, "MPI_Win_post"))
		return REGION_WIN_POST;
	if (!strcmp(name, "MPI_Win_start"))
		return REGION_WIN_START;
	if (!strcmp(name, "MPI_Win_complete"))
		return REGION_WIN_COMPLETE;
	if (!strcmp(name, "MPI_Win_wait") || !strcmp(name, "MPI_Win_test"))
		return REGION_WIN_WAIT;
	return REGION_PLAIN;
}

/* With the place in the program behind, or something else. */
static bool is_called(const char *name, const char *construct)
{
	const size_t length = strlen(construct);

	return !strncmp(name, construct, length) &&
	       (name[length] == '\0' || !strncmp(name + length, " @", 2));
}

/* "!$omp taskwait depend" waits for some tasks only, nobody knows which. */
static enum region_kind kind_of_task_region(const char *name)
{
	if (is_called(name, "!$omp taskwait"))
		return REGION_TASK_WAIT;
	if (is_called(name, "!$omp taskgroup"))
		return REGION_TASK_GROUP;
	if (is_called(name, "!$omp taskgroup wait"))
		return REGION_TASK_GROUP_WAIT;
	return REGION_PLAIN;
}

static enum region_kind kind_of_region(
	const struct measure_definitions *definitions, const struct measure_region *region)
{
	const char *name = measure_text(definitions, region->name);

	if (!strcmp(name, "MPI_Init") || !strcmp(name, "MPI_Init_thread"))
		return REGION_INIT;
	if (!strcmp(name, "MPI_Finalize"))
		return REGION_FINALIZE;
	if (!strcmp(name, "MPI_Comm_spawn") || !strcmp(name, "MPI_Comm_spawn_multiple"))
		return REGION_SPAWN;
	if (region->role == OTF2_REGION_ROLE_RMA)
		return kind_of_rma_region(name);
	if (region->role == OTF2_REGION_ROLE_BARRIER ||
		region->role == OTF2_REGION_ROLE_IMPLICIT_BARRIER)
		return REGION_BARRIER;
	return region->paradigm == OTF2_PARADIGM_OPENMP ? kind_of_task_region(name) : REGION_PLAIN;
}

/* Buffered and ready sends never wait, and which request MPI_Start starts is not recorded. */
static bool has_requests_that_never_wait(const struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_regions; i++) {
		const char *name = measure_text(definitions, definitions->regions[i].name);

		if (!strcmp(name, "MPI_Bsend_init") || !strcmp(name, "MPI_Rsend_init"))
			return true;
	}
	return false;
}

static enum region_kind kind_of_message_call(const char *name, bool is_start_a_send)
{
	const enum region_kind kind = rendezvous_kind(name);

	return kind == REGION_SEND_RECEIVE && !is_start_a_send &&
			       !strncmp(name, "MPI_Start", strlen("MPI_Start"))
		       ? REGION_RECEIVE
		       : kind;
}

/* Calls that send and receive matter only where some of them wait for each other. */
static void mark_rendezvous(struct measure_match *match)
{
	const struct measure_definitions *definitions = match->definitions;
	const bool is_start_a_send = !has_requests_that_never_wait(definitions);
	bool is_told = false;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < definitions->nr_regions; i++) {
			enum region_kind kind = kind_of_message_call(
				measure_text(definitions, definitions->regions[i].name),
				is_start_a_send);

			is_told |= rendezvous_is_told(match, kind);
			if (pass == 1 && is_told && kind != REGION_PLAIN)
				match->calls.region_kinds[i] = kind;
		}
	}
}

void regions_start(struct measure_match *match)
{
	const struct measure_definitions *definitions = match->definitions;

	match->calls.region_kinds = measure_zeroed(definitions->nr_regions, sizeof(uint8_t));
	for (size_t i = 0; i < definitions->nr_regions; i++)
		match->calls.region_kinds[i] = kind_of_region(definitions, &definitions->regions[i]);
	mark_rendezvous(match);
}
