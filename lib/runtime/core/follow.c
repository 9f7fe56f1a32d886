/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who is followed; see follow.h. */
#include "config.h"

#include "follow.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec_environment.h"

static enum { FOLLOWS_NOBODY, FOLLOWS_IMAGES, FOLLOWS_ALL } mode;
static struct measure_segment segment; /* of this process */
static char variable[sizeof(MEASURE_PART_VARIABLE) + 4096] = MEASURE_PART_VARIABLE;

static const char *loader; /* its path; NULL: unknown */
static struct stat loader_file;

static char *path(void)
{
	return variable + strlen(MEASURE_PART_VARIABLE);
}

static void find_loader(void)
{
	loader = NULL;
	for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next)
		if (map->l_addr == _r_debug.r_ldbase && stat(map->l_name, &loader_file) == 0)
			loader = map->l_name;
}

void measure_follow_start(const struct measure_segment *attached, const char *part,
	const struct measure_settings *settings)
{
	size_t room = sizeof(variable) - strlen(MEASURE_PART_VARIABLE);

	find_loader();
	segment = *attached;
	snprintf(path(), room, "%s", part);
	if (settings->children == MEASURE_CHILDREN_FOLLOW)
		mode = FOLLOWS_ALL;
	else if (settings->exec)
		mode = FOLLOWS_IMAGES;
}

void measure_follow_move(const struct measure_segment *attached, const char *part)
{
	char *end = strrchr(path(), '/') + 1;

	segment = *attached;
	if (*part == '\0')
		return;
	if (strlen(part) >= sizeof(variable) - (size_t)(end - variable))
		measure_follow_end();
	else
		strcpy(end, part);
}

void measure_follow_end(void)
{
	mode = FOLLOWS_NOBODY;
}

/* With --exec: a script or launcher, that has no more than its ProgramBegin. */
static bool is_bare(void)
{
	const struct measure_segment_location *first = &segment.locations[0];

	return atomic_load(&segment.header->nr_locations) <= 1 &&
	       measure_committed_events(atomic_load(&first->committed)) <= 1;
}

bool measure_follow_has_children(void)
{
	return mode == FOLLOWS_ALL || (mode == FOLLOWS_IMAGES && is_bare());
}

bool measure_follow_has_images(bool is_child)
{
	if (mode == FOLLOWS_IMAGES && !is_child && !measure_follow_is_guest())
		return true;
	return measure_follow_has_children();
}

bool measure_follow_is_guest(void)
{
	return atomic_load(&segment.header->pid) != getpid();
}

void measure_follow_expect(int nr)
{
	atomic_fetch_add(&segment.header->nr_expected, (uint32_t)nr);
}

void measure_follow_expect_image(int nr)
{
	measure_follow_expect(nr);
	atomic_fetch_add(&segment.header->nr_images, (uint32_t)nr);
}

void measure_follow_miss(int nr)
{
	atomic_fetch_add(&segment.header->counts[MEASURE_COUNT_UNFOLLOWED], (uint64_t)(int64_t)nr);
}

/* A copy in a container has another number, but is as large and as old. */
bool measure_follow_same_system(void)
{
	struct stat stat_;

	return !loader || (stat(loader, &stat_) == 0 && stat_.st_size == loader_file.st_size &&
				  stat_.st_mtime == loader_file.st_mtime);
}

const char *measure_follow_variable(void)
{
	return variable;
}

const char *measure_follow_part(void)
{
	return path();
}
