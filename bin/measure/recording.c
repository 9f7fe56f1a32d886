/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preparing a recording; see recording.h. */
#include "config.h"

#include "recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "format/ipc.h"
#include "format/rendezvous.h"
#include "keeper/process/finalizer.h"
#include "keeper/process/guard.h"

void recording_part_path(const struct recording *recording, char path[RECORDING_PART_PATH])
{
	snprintf(path, RECORDING_PART_PATH, "%s/%s/%s", recording->rundir.path, MEASURE_PARTS_NAME,
		recording->part);
}

static measure_status_t make_environment(struct recording *recording)
{
	char path[RECORDING_PART_PATH];

	recording_part_path(recording, path);
	recording->environment = measure_preload_environment(&recording->plan->preload, path);
	return recording->environment ? MEASURE_OK : MEASURE_ERROR_MEMORY;
}

void recording_withdraw(const struct recording *recording)
{
	measure_part_off(recording->rundir.parts_fd, recording->part);
	measure_finalizer_withdraw(&recording->plan->settings, &recording->rundir);
}

measure_status_t recording_prepare(struct recording *recording)
{
	struct measure_plan *plan = recording->plan;
	measure_status_t status =
		measure_rundir_open(&plan->settings, plan->program.name, &recording->rundir);

	if (status != MEASURE_OK)
		return status;
	status = measure_part_create(recording->rundir.parts_fd, recording->part,
		&recording->part_fd);
	if (status != MEASURE_OK)
		return status;
	status = measure_rendezvous_listen(recording->part_fd, &recording->listen_fd);
	if (status != MEASURE_OK) {
		measure_cli_say("%s: cannot create a socket: %s: choose another --output",
			recording->rundir.path, strerror(errno));
		goto undo_part;
	}
	status = make_environment(recording);
	if (status == MEASURE_OK)
		return MEASURE_OK;
	measure_cli_say("%s: not recording", measure_status_text(status));
	close(recording->listen_fd);
undo_part:
	recording_withdraw(recording);
	return status;
}

/* In a forked child. */
static void guard(struct recording *recording, int channel, int lines)
{
	static struct measure_keeper keeper;

	keeper = (struct measure_keeper){.settings = &recording->plan->settings,
		.run = &recording->plan->settings,
		.buffer = recording->plan->buffer,
		.generation = 1,
		.rundir = &recording->rundir,
		.part = recording->part,
		.part_fd = recording->part_fd,
		.listen_fd = recording->listen_fd,
		.channel = channel,
		.lines = lines,
		.memory_fd = -1,
		.connection = -1,
		.pidfd = -1,
		.attached = recording->attached,
		.rules = &recording->plan->rules};
	measure_guard_run(&keeper);
}

measure_status_t recording_start_guard(struct recording *recording)
{
	int channel[2], lines[2];

	if (measure_ipc_open(channel) != MEASURE_OK)
		return MEASURE_ERROR_IO;
	if (measure_ipc_open(lines) != MEASURE_OK)
		goto undo_channel;
	pid_t child = fork();
	if (child == 0)
		guard(recording, channel[1], lines[1]);
	if (child < 0)
		goto undo_lines;
	close(channel[1]);
	close(lines[1]);
	recording->channel = channel[0];
	recording->lines = lines[0];
	return MEASURE_OK;

undo_lines:
	close(lines[0]);
	close(lines[1]);
undo_channel:
	close(channel[0]);
	close(channel[1]);
	return MEASURE_ERROR_MEMORY;
}
