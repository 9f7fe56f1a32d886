/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks up what a fold could not; see translation.h. */
#include "config.h"

#include "translation.h"

#include "analysis/fold/local_trace.h"
#include "trace/archive/id_mapping.h"

static uint32_t index_of(
	const struct measure_translation *translation, enum measure_kind kind, uint64_t id)
{
	return measure_definition_index(&translation->trace->definitions, kind,
		measure_id_mapping_apply(
			translation->trace->mappings[translation->location], kind, id));
}

uint32_t measure_translate_region(const struct measure_translation *translation, uint32_t region)
{
	uint32_t index;

	if (region > MEASURE_PSEUDO_BEFORE && region < MEASURE_PSEUDO_END)
		return region;
	index = index_of(translation, MEASURE_KIND_REGION, region);
	return index == MEASURE_NONE ? MEASURE_PSEUDO_UNDEFINED : index;
}

static uint64_t translate_process(const struct measure_translation *translation, uint64_t word)
{
	const uint32_t process =
		translation->trace->definitions.locations[translation->location].group;
	uint32_t comm;

	if (!(word & MEASURE_PROFILE_RANK))
		return word == MEASURE_NONE ? word : process;
	comm = index_of(translation, MEASURE_KIND_COMM, word >> 32 & INT32_MAX);
	if (comm == MEASURE_NONE || process == MEASURE_NONE)
		return MEASURE_NONE;
	return measure_ranks_peer(translation->ranks, comm, process, (uint32_t)word);
}

static uint64_t translate_comm(const struct measure_translation *translation, uint64_t word)
{
	uint32_t window;

	if (word == MEASURE_NONE)
		return word;
	if (word < MEASURE_PROFILE_WINDOW)
		return index_of(translation, MEASURE_KIND_COMM, word);
	window = index_of(translation, MEASURE_KIND_RMA_WIN, word - MEASURE_PROFILE_WINDOW);
	return window == MEASURE_NONE ? MEASURE_NONE
				      : translation->trace->definitions.windows[window].comm;
}

static uint64_t translate_word(
	const struct measure_translation *translation, enum measure_key_kind kind, uint64_t word)
{
	switch (kind) {
	case MEASURE_KEY_PROCESS:
		return translate_process(translation, word);
	case MEASURE_KEY_COMM:
		return translate_comm(translation, word);
	case MEASURE_KEY_CONTEXT:
		return index_of(translation, MEASURE_KIND_CALLING_CONTEXT, word);
	case MEASURE_KEY_GENERATOR:
		return index_of(translation, MEASURE_KIND_INTERRUPT_GENERATOR, word);
	default:
		return word;
	}
}

/* A file and its interface, by a handle. */
static struct measure_key translate_handle(
	const struct measure_translation *translation, uint64_t word)
{
	const uint32_t index =
		index_of(translation, MEASURE_KIND_IO_HANDLE, word - MEASURE_PROFILE_HANDLE);
	const struct measure_io_handle *handle;

	if (index == MEASURE_NONE)
		return measure_key_pair(word, MEASURE_NONE);
	handle = &translation->trace->definitions.io_handles[index];
	return measure_key_pair(
		handle->file == MEASURE_NONE ? MEASURE_PROFILE_HANDLE + index : handle->file,
		handle->paradigm);
}

struct measure_key measure_translate_key(const struct measure_translation *translation,
	enum measure_table_name name, struct measure_key key)
{
	const enum measure_key_kind *kinds = measure_tables[name].kinds;

	if (kinds[0] == MEASURE_KEY_FILE)
		return translate_handle(translation, key.high);
	return measure_key_pair(translate_word(translation, kinds[0], key.high),
		translate_word(translation, kinds[1], key.low));
}

uint32_t measure_translate_member(const struct measure_translation *translation, uint32_t member)
{
	const struct measure_definitions *definitions = &translation->trace->definitions;
	const uint32_t at = member % MEASURE_LOCAL_MEMBERS;
	uint32_t index = index_of(translation, MEASURE_KIND_METRIC, member / MEASURE_LOCAL_MEMBERS);

	if (index != MEASURE_NONE && definitions->metrics[index].instance_of != MEASURE_NONE)
		index = definitions->metrics[index].instance_of;
	if (index == MEASURE_NONE || at >= definitions->metrics[index].nr_members)
		return MEASURE_NONE;
	return definitions->metrics[index].members[at];
}
