/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locations that a thread has besides the one it records in; see nested_location.h. */
#include "config.h"

#include "nested_location.h"

#include "adapter.h"
#include "runtime/definitions/define.h"
#include "location.h"

static struct measure_location lent = {
	.flags = MEASURE_LOCATION_STOPPED | MEASURE_LOCATION_LENT,
	.index = MEASURE_UNDEFINED,
};

struct measure_location *measure_location_lend(void)
{
	struct measure_location *own = measure_location_self;

	measure_location_self = &lent;
	return own;
}

void measure_location_regain(struct measure_location *location)
{
	measure_location_self = location;
}

/* --------------------------------------------------------- interrupted in a bracket --- */

/* In a bracket, or stopped. */
static bool is_in_use(const struct measure_location *location)
{
	return location->flags & (MEASURE_LOCATION_BUSY | MEASURE_LOCATION_STOPPED);
}

/* What links to the first location of the chain that is free; else to its end. */
static struct measure_location **find_free(struct measure_location *location)
{
	struct measure_location **link = &location->aside;

	while (*link && is_in_use(*link))
		link = &(*link)->aside;
	return link;
}

struct measure_location *measure_location_set_aside(struct measure_location *location)
{
	struct measure_location **link = find_free(location), *found = *link;

	atomic_store(&location->shared->ended, 1);
	if (!found)
		return NULL;
	*link = found->aside;
	found->aside = location;
	atomic_store(&found->shared->ended, 0);
	measure_location_self = found;
	return found;
}

/* Brackets before the free one in the chain have been left with it. */
struct measure_location *measure_location_abandon(struct measure_location *location)
{
	struct measure_location *found = *find_free(location);

	for (; location != found; location = location->aside)
		atomic_store(&location->shared->ended, 1);
	if (found)
		atomic_store(&found->shared->ended, 0);
	measure_location_self = found;
	measure_count(MEASURE_COUNT_ABANDONED);
	return found;
}

/* In the chain, as the thread's own is another one. */
static struct measure_location *make_beside(struct measure_location *location)
{
	struct measure_location *made;
	struct measure_signals saved;

	measure_signals_block(&saved);
	made = measure_location_create();
	if (made) {
		made->aside = location->aside;
		location->aside = made;
		measure_location_self = location;
	}
	measure_signals_restore(&saved);
	return made;
}

struct measure_location *measure_location_free_beside(struct measure_location *location)
{
	return *find_free(location);
}

/* In a bracket of this location, or of another one that the bracket was interrupted for. */
static bool is_in_library(const struct measure_location *location)
{
	for (; location; location = location->aside)
		if (location->flags & MEASURE_LOCATION_BUSY && location->is_in_library)
			return true;
	return false;
}

struct measure_location *measure_location_beside(struct measure_location *location)
{
	struct measure_location *found = *find_free(location);

	if (is_in_library(location) || measure_define_is_locked_here()) {
		measure_count(MEASURE_COUNT_LOST_NESTED);
		return NULL;
	}
	if (!found)
		return make_beside(location);
	atomic_store(&found->shared->ended, 0);
	return found;
}
