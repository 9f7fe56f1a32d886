/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranges; see ranges.h. */
#include "config.h"

#include "ranges.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "pages.h"
#include "site_ids.h"
#include "texts.h"

/* ------------------------------------------------------------------ pushed and popped --- */

struct pushed {
	measure_region_t region;
	uint32_t group;
	uint32_t level; /* of its group, from 0 */
};

/* The calling thread's. */
struct pushed_stack {
	struct pushed *items;
	uint32_t nr, room;
	uint32_t nr_beyond; /* for which there was no room: they are ended first */
};

#define FIRST_ROOM  340 /* a page */
#define MOST_PUSHED (1u << 20)

static __thread struct pushed_stack *pushed_ranges __attribute__((tls_model("initial-exec")));

static struct pushed_stack *pushed_have(void)
{
	const int saved = errno;

	if (!pushed_ranges)
		pushed_ranges = measure_pages_get(sizeof(*pushed_ranges));
	errno = saved;
	return pushed_ranges;
}

/* The place of the innermost one of a group + 1; 0: there is none. */
static uint32_t pushed_find(const struct pushed_stack *stack, uint32_t group)
{
	uint32_t place = stack->nr;

	while (place > 0 && stack->items[place - 1].group != group)
		place--;
	return place;
}

static uint32_t pushed_levels(const struct pushed_stack *stack, uint32_t group)
{
	const uint32_t place = pushed_find(stack, group);

	return place ? stack->items[place - 1].level + 1 : 0;
}

static bool pushed_has_room(struct pushed_stack *stack)
{
	void *items = stack->items;

	if (stack->nr < stack->room)
		return true;
	if (stack->room >= MOST_PUSHED ||
		!measure_pages_grow(&items, &stack->room, FIRST_ROOM, sizeof(*stack->items)))
		return false;
	stack->items = items;
	return true;
}

int32_t measure_range_push(measure_region_t region, uint32_t group)
{
	struct pushed_stack *stack = pushed_have();
	uint32_t level;

	if (!stack)
		return -1;
	if (stack->nr_beyond || !pushed_has_room(stack)) {
		stack->nr_beyond++;
		return -1;
	}
	level = pushed_levels(stack, group);
	stack->items[stack->nr++] = (struct pushed){region, group, level};
	return (int32_t)level;
}

measure_region_t measure_range_pop(uint32_t group, int32_t *nr_open)
{
	struct pushed_stack *stack = pushed_ranges;
	uint32_t place = stack ? pushed_find(stack, group) : 0;
	struct pushed ended;

	*nr_open = -1;
	if (stack && stack->nr_beyond) {
		*nr_open = (int32_t)--stack->nr_beyond;
		return MEASURE_UNDEFINED;
	}
	if (!place)
		return MEASURE_UNDEFINED;
	ended = stack->items[place - 1];
	*nr_open = (int32_t)ended.level;
	memmove(&stack->items[place - 1], &stack->items[place],
		(stack->nr - place) * sizeof(*stack->items));
	stack->nr--;
	return ended.region;
}

void measure_ranges_end(void)
{
	if (!pushed_ranges)
		return;
	measure_pages_return(
		pushed_ranges->items, pushed_ranges->room * sizeof(*pushed_ranges->items));
	measure_pages_return(pushed_ranges, sizeof(*pushed_ranges));
	pushed_ranges = NULL;
}

/* ---------------------------------------------------------------- started and stopped --- */

static _Atomic uint64_t nr_ranges;

static uint32_t define_range_number(struct measure_site *site)
{
	return measure_parameter_define(site->name, MEASURE_PARAMETER_UNSIGNED_INT);
}

static uint32_t define_range_name(struct measure_site *site)
{
	return measure_parameter_define(site->name, MEASURE_PARAMETER_STRING);
}

uint64_t measure_range_start(uint64_t number, const char *name,
	const struct measure_typed_value *values, uint32_t nr_values)
{
	static struct measure_site start_site = {.name = "range.start"};
	static struct measure_site name_site = {.name = "range.name"};
	const uint32_t start = measure_site_id(&start_site, define_range_number);
	const uint32_t named = measure_site_id(&name_site, define_range_name);
	const uint32_t text = start && named ? measure_text_value(name) : 0;
	struct measure_location *location = text ? measure_record_begin_followed() : NULL;

	if (!location)
		return 0;
	if (number == 0)
		number = atomic_fetch_add_explicit(&nr_ranges, 1, memory_order_relaxed) + 1;
	measure_write_attributes(location, values, nr_values);
	measure_write_parameter_unsigned_int(location, start - 1, number);
	measure_write_parameter_string(location, named - 1, text - 1);
	measure_record_end(location);
	return number;
}

void measure_range_stop(uint64_t number)
{
	static struct measure_site stop_site = {.name = "range.stop"};
	const uint32_t stop = number ? measure_site_id(&stop_site, define_range_number) : 0;
	struct measure_location *location = stop ? measure_record_begin_followed() : NULL;

	if (!location)
		return;
	measure_write_parameter_unsigned_int(location, stop - 1, number);
	measure_record_end(location);
}
