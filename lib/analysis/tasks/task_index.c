/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks by their names. Creators count: pages of indices take a third of what a hash map of all
 * tasks would, and few numbers far apart cost a page each. */
#include "config.h"

#include "tasks_reading.h"

static struct measure_key index_key(struct task_name name)
{
	return measure_key_pair((uint64_t)name.team << 32 | name.creator, name.number / TASK_PAGE);
}

uint32_t task_index_find(
	const struct task_index *index, struct task_index_place *place, struct task_name name)
{
	const struct measure_key key = index_key(name);

	if (!place->is_valid || place->key.high != key.high || place->key.low != key.low)
		*place = (struct task_index_place){key, measure_map_get(&index->pages, key), true};
	return place->page == MEASURE_NONE ? MEASURE_NONE
					   : index->indices[place->page][name.number % TASK_PAGE];
}

uint32_t task_index_intern(struct task_index *index, struct task_name name, uint32_t next)
{
	const uint32_t page =
		measure_map_intern(&index->pages, index_key(name), (uint32_t)index->nr_pages);
	uint32_t *found;

	if (page == index->nr_pages) {
		uint32_t *indices =
			*measure_append_to(index->indices, index->nr_pages, index->room_pages);

		for (size_t i = 0; i < TASK_PAGE; i++)
			indices[i] = MEASURE_NONE;
	}
	found = &index->indices[page][name.number % TASK_PAGE];
	if (*found == MEASURE_NONE)
		*found = next;
	return *found;
}

void task_index_free(struct task_index *index)
{
	measure_map_free(&index->pages);
	measure_free(index->indices);
}
