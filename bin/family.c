/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Following processes; see family.h. */
#include "config.h"

#include "family.h"

#include <stdio.h>
#include <unistd.h>

#include "image.h"
#include "memory/rendezvous.h"

static struct {
	const struct measure_keeper *keeper;
	struct measure_segment *segment;
} family;

/* In a process forked from its creator's keeper. */
static void keep(struct measure_keeper *keeper, bool is_image)
{
	static struct measure_settings settings;
	bool is_same = keeper->generation > 1;

	measure_segment_detach(family.segment);
	settings = *keeper->settings;
	snprintf(settings.creator, sizeof(settings.creator), "%s", family.keeper->part);
	if (is_image)
		measure_image_adopt(&settings, keeper->followed, is_same, keeper->buffer);
	else
		settings.rank = MEASURE_RANK_NONE;
	keeper->settings = &settings;
	keeper->memory_fd = -1;
	keeper->nr_before = 0;
	keeper->guard = 0;
	if (!is_same)
		keeper->channel = -1;
	if (measure_rendezvous_listen(keeper->part_fd, &keeper->listen_fd) == MEASURE_OK)
		measure_keeper_run(keeper);
	measure_part_off(keeper->rundir->parts_fd, keeper->part);
	_exit(1);
}

/* A keeper of its own. Its part is there before that one is: nobody may assemble now, as we, who
 * own it until then, are alive. */
static bool follow(
	const struct measure_watch *watch, int connection, const struct measure_visitor *visitor)
{
	struct measure_keeper keeper = *family.keeper;
	char part[MEASURE_PART_NAME];

	keeper.generation = visitor->pid == watch->pid ? keeper.generation + 1 : 1;
	keeper.part = part;
	keeper.followed = visitor->pid;
	keeper.connection = connection;
	if (measure_part_create_child(keeper.rundir->parts_fd, visitor->pid, keeper.generation,
		    part, &keeper.part_fd) != MEASURE_OK)
		return false;
	pid_t child = fork();
	if (child == 0)
		keep(&keeper, visitor->wish == MEASURE_WISH_SEGMENT);
	close(keeper.part_fd);
	if (child < 0)
		measure_part_off(keeper.rundir->parts_fd, part);
	return child > 0;
}

static void answer(int connection, const struct measure_visitor *visitor)
{
	measure_image_answer(family.keeper->settings, connection, visitor);
}

void measure_family_start(const struct measure_keeper *keeper, struct measure_segment *segment,
	struct measure_watch *watch)
{
	if (keeper->settings->children != MEASURE_CHILDREN_FOLLOW && !keeper->settings->exec)
		return;
	family.keeper = keeper;
	family.segment = segment;
	watch->follow = follow;
	watch->answer = answer;
}
