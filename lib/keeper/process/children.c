/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Following processes; see children.h. */
#include "config.h"

#include "children.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "guard.h"
#include "exec_preload.h"
#include "format/rendezvous.h"

static struct {
	const struct measure_keeper *keeper;
	struct measure_segment *segment;
	int parts[2]; /* a pipe, whose end is seen when all have made their parts */
} family;

/* What the others of this process have of ours is ours no more. */
static void leave_creator(struct measure_keeper *keeper, uint64_t ticks)
{
	keeper->before = keeper->generation > 1 ? keeper->known : NULL;
	if (keeper->before)
		atomic_store(&keeper->before->replaced, ticks);
	measure_segment_detach(family.segment);
	keeper->nr_before = 0;
	if (keeper->generation == 1)
		keeper->channel = -1;
}

static void choose_settings(struct measure_keeper *keeper, bool is_image)
{
	static struct measure_settings settings;

	settings = *keeper->settings;
	snprintf(settings.creator, sizeof(settings.creator), "%s", family.keeper->part);
	if (is_image)
		measure_exec_preload_adopt(
			&settings, keeper->followed, keeper->generation > 1, keeper->buffer);
	else
		settings.rank = MEASURE_RANK_NONE;
	keeper->settings = &settings;
}

/* It asks again, and then goes on without us. */
static void children_refuse(const struct measure_keeper *keeper, bool is_image)
{
	if (is_image && keeper->generation == 1)
		atomic_fetch_sub(&keeper->known->nr_images, 1);
	_exit(1);
}

/* In a process forked from its creator's keeper. */
static void guard(struct measure_keeper *keeper, bool is_image, uint64_t ticks)
{
	static char part[MEASURE_PART_NAME];

	leave_creator(keeper, ticks);
	choose_settings(keeper, is_image);
	keeper->part = part;
	if (measure_part_create_child(keeper->rundir->parts_fd, keeper->followed,
		    keeper->generation, part, &keeper->part_fd) != MEASURE_OK)
		children_refuse(keeper, is_image);
	if (measure_rendezvous_listen(keeper->part_fd, &keeper->listen_fd) != MEASURE_OK) {
		measure_part_off(keeper->rundir->parts_fd, part);
		children_refuse(keeper, is_image);
	}
	if (!keeper->before)
		measure_keeper_state_drop(keeper->known);
	measure_guard_run(keeper);
}

/* With a guard and a keeper of its own. What takes a disk is for them to do. */
static bool follow(const struct measure_monitor *watch, int connection,
	const struct measure_visitor *visitor, uint64_t ticks)
{
	struct measure_keeper keeper = *family.keeper;

	keeper.generation = visitor->pid == watch->pid ? keeper.generation + 1 : 1;
	keeper.followed = visitor->pid;
	keeper.connection = connection;
	prctl(PR_SET_NAME, MEASURE_GUARD_NAME); /* who looks for keepers finds us, not it */
	pid_t child = fork();
	if (child == 0)
		guard(&keeper, visitor->wish == MEASURE_WISH_SEGMENT, ticks);
	prctl(PR_SET_NAME, MEASURE_KEEPER_NAME);
	return child > 0;
}

static void answer(int connection, const struct measure_visitor *visitor)
{
	measure_exec_preload_answer(
		family.keeper->settings, &family.keeper->known->unrecorded, connection, visitor);
}

void measure_children_start(const struct measure_keeper *keeper, struct measure_segment *segment,
	struct measure_monitor *watch)
{
	family.keeper = NULL;
	if (keeper->settings->children != MEASURE_CHILDREN_FOLLOW && !keeper->settings->exec)
		return;
	if (pipe2(family.parts, O_CLOEXEC) != 0)
		return;
	family.keeper = keeper;
	family.segment = segment;
	watch->follow = follow;
	watch->answer = answer;
}

void measure_children_count_missing(struct measure_segment_header *header)
{
	uint32_t expected = atomic_load(&header->nr_images), come;

	if (!family.keeper)
		return;
	come = atomic_load(&family.keeper->known->nr_images);
	if (expected > come)
		atomic_fetch_add(&header->counts[MEASURE_COUNT_UNFOLLOWED], expected - come);
}

/* A guard loses its end of the pipe when it has its part. */
void measure_children_await_parts(void)
{
	char byte;

	if (!family.keeper)
		return;
	close(family.parts[1]);
	while (read(family.parts[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(family.parts[0]);
}
