/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties that tell which programs were started and could not be recorded. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble/write/properties.h"

#define MOST_NAMED 10

typedef MEASURE_ARRAY(struct measure_def_unrecorded) unrecorded_list_t;

/* Several processes may have started one program. */
static measure_status_t list_add(
	unrecorded_list_t *list, const struct measure_def_unrecorded *unrecorded)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (strcmp(list->items[i].program, unrecorded->program) != 0 ||
			strcmp(list->items[i].reason, unrecorded->reason) != 0)
			continue;
		list->items[i].nr += unrecorded->nr;
		return MEASURE_OK;
	}
	return measure_array_push(list, *unrecorded);
}

static int compare(const void *a, const void *b)
{
	const struct measure_def_unrecorded *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? 1 : -1;
	return strcmp(x->program, y->program);
}

static void list_write(struct measure_archive *archive, unrecorded_list_t *list)
{
	char name[64], value[512];
	uint64_t nr = 0;
	size_t nr_named = 0;

	if (list->nr == 0)
		return;
	qsort(list->items, list->nr, sizeof(*list->items), compare);
	for (size_t i = 0; i < list->nr; i++) {
		const struct measure_def_unrecorded *item = &list->items[i];

		nr += item->nr;
		if (*item->program == '\0' || nr_named == MOST_NAMED)
			continue;
		snprintf(name, sizeof(name), "MEASURE::UNRECORDED::%zu", ++nr_named);
		snprintf(value, sizeof(value), "%" PRIu64 " %s: %s", item->nr, item->program,
			item->reason);
		measure_archive_property(archive, name, value);
	}
	snprintf(value, sizeof(value), "%" PRIu64, nr);
	measure_archive_property(archive, "MEASURE::UNRECORDED", value);
}

void measure_properties_write_unrecorded(
	struct measure_archive *archive, const struct measure_unified *unified)
{
	const struct measure_job *job = unified->job;
	measure_status_t status = MEASURE_OK;
	unrecorded_list_t list = {0};

	for (size_t i = 0; i < job->nr_parts; i++)
		for (size_t k = 0; k < job->parts[i].unrecorded.nr && status == MEASURE_OK; k++)
			status = list_add(&list, &job->parts[i].unrecorded.items[k]);
	list_write(archive, &list);
	free(list.items);
}
