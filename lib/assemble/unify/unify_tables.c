/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Definitions that those of many kinds refer to: strings, regions, groups and paradigms, each
 * once. */
#include "config.h"

#include "unify.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>
#include <string.h>

struct paradigm {
	uint8_t paradigm;
	uint8_t class;
	const char *name;
	const char *file;
	const char *comm_template;
	const char *window_template;
};

static const struct paradigm paradigms[] = {
#define PARADIGM(NAME, CLASS, name, file, comms, windows)                                          \
	{OTF2_PARADIGM_##NAME, OTF2_PARADIGM_CLASS_##CLASS, name, file, comms, windows},
#include "paradigms.def"
#undef PARADIGM
};
#define NR_PARADIGMS (sizeof(paradigms) / sizeof(*paradigms))

uint32_t measure_unify_string(struct measure_unified *unified, const char *text)
{
	uint32_t id = 0;
	measure_status_t status = measure_intern_put(&unified->definitions.strings, text,
		strlen(text) + 1, &id, NULL);

	measure_unify_note(unified, status);
	return status == MEASURE_OK ? id : 0;
}

/* A region of a library has the name of its paradigm where others have their source file. */
static uint32_t file_of(struct measure_unified *unified, const struct measure_otf2_region *region)
{
	const char *file = measure_intern_key(&unified->definitions.strings, region->file);

	for (size_t i = 0; i < NR_PARADIGMS && !*file; i++)
		if (paradigms[i].paradigm == region->paradigm)
			return measure_unify_string(unified, paradigms[i].file);
	return region->file;
}

/* What a header has is one region, whichever modules it was compiled into: the first one is told.
 */
uint32_t measure_unify_region(struct measure_unified *unified,
	const struct measure_otf2_region *region)
{
	struct measure_otf2_region named = *region, key;

	if (unified->status != MEASURE_OK)
		return 0;
	named.file = file_of(unified, region);
	key = named;
	key.module = 0;
	return measure_unify_put(
		unified, &unified->regions, key, &unified->definitions.regions, named);
}

/* The key of a group is {type, paradigm, members}, and keeps the members for the archive. */
uint32_t measure_unify_group(struct measure_unified *unified, uint8_t type, uint8_t paradigm,
	const uint64_t *members, uint32_t nr_members)
{
	size_t size = (2 + (size_t)nr_members) * sizeof(uint64_t);
	uint64_t *key = malloc(size);
	uint32_t id;
	bool is_new;

	if (!key) {
		measure_unify_note(unified, MEASURE_ERROR_MEMORY);
		return 0;
	}
	key[0] = type;
	key[1] = paradigm;
	if (nr_members)
		memcpy(key + 2, members, nr_members * sizeof(*members));
	id = measure_unify_intern(unified, &unified->groups, key, size, &is_new);
	free(key);
	if (!is_new)
		return id;
	const uint64_t *kept = measure_intern_key(&unified->groups, id);
	struct measure_otf2_group group = {0, type, paradigm, nr_members, kept + 2};
	measure_unify_push(unified, &unified->definitions.groups, group);
	if (nr_members > unified->largest)
		unified->largest = nr_members;
	return id;
}

static bool uses(const struct measure_archive_definitions *definitions, uint8_t paradigm)
{
	/* regions of the program's own say nothing of how its threads come to be */
	for (size_t i = 0; i < definitions->regions.nr && paradigm != OTF2_PARADIGM_USER; i++)
		if (definitions->regions.items[i].paradigm == paradigm)
			return true;
	for (size_t i = 0; i < definitions->groups.nr; i++)
		if (definitions->groups.items[i].paradigm == paradigm)
			return true;
	return false;
}

void measure_unify_paradigms(struct measure_unified *unified)
{
	for (size_t i = 0; i < NR_PARADIGMS; i++) {
		const struct paradigm *from = &paradigms[i];
		if (!uses(&unified->definitions, from->paradigm))
			continue;
		struct measure_otf2_paradigm to = {from->paradigm, from->class,
			measure_unify_string(unified, from->name),
			measure_unify_string(unified, from->comm_template),
			measure_unify_string(unified, from->window_template)};
		measure_unify_push(unified, &unified->definitions.paradigms, to);
	}
}
