/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attaching and detaching; see attach_process.h. */
#include "config.h"

#include "attach_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/posix.h"
#include "cli/cli.h"
#include "format/attach_request.h"
#include "status.h"

#define BUSY_TRIES 100 /* on threads that are in the middle of an event */

static void say_failed(const struct measure_target *target, enum measure_remote_result result)
{
	if (result == MEASURE_REMOTE_REFUSED)
		measure_target_say_refused(target, errno);
	else if (result == MEASURE_REMOTE_ENDED)
		measure_cli_say("process %d: has ended", (int)target->pid);
	else if (result == MEASURE_REMOTE_NOWHERE)
		measure_cli_say("process %d: none of its threads is where it could load a library: "
				"try again",
			(int)target->pid);
	else
		measure_cli_say("process %d: a call of Measure failed in it: try again, or start "
				"it with measure",
			(int)target->pid);
}

static bool call_remotely(const struct measure_target *target,
	const struct measure_remote_call *call, struct measure_remote_time *time)
{
	struct measure_remote_time once;
	const enum measure_remote_result result = measure_remote_call(target, call, &once);

	time->whole += once.whole;
	time->stopped += once.stopped;
	if (result != MEASURE_REMOTE_DONE)
		say_failed(target, result);
	return result == MEASURE_REMOTE_DONE;
}

/* Once; it stays. */
static bool load_library(
	struct measure_target *target, const char *library, struct measure_remote_time *time)
{
	char path[PATH_MAX];
	const struct measure_remote_call call = {.function = measure_target_function(target->libc,
							 target->libc_base, "dlopen"),
		.data = path,
		.size = sizeof(path),
		.second = RTLD_NOW | RTLD_LOCAL};

	snprintf(path, sizeof(path), "%s", library);
	if (!call_remotely(target, &call, time))
		return false;
	if (measure_target_find_library(target))
		return true;
	measure_cli_say("process %d: cannot load %s: is it readable there?", (int)target->pid,
		library);
	return false;
}

static bool is_same_file(const char *path, const char *other)
{
	char whole[2][PATH_MAX];

	return realpath(path, whole[0]) && realpath(other, whole[1]) &&
	       strcmp(whole[0], whole[1]) == 0;
}

/* `request` comes back with the answer; false: it was said why there is none. */
static bool ask_library(const struct measure_target *target, const char *entry,
	struct measure_attach_request *request, struct measure_remote_time *time)
{
	const struct measure_remote_call call = {.function = measure_target_function(target->library,
							 target->library_base, entry),
		.data = request,
		.size = sizeof(*request)};

	if (call.function)
		return call_remotely(target, &call, time);
	measure_cli_say("%s: belongs to another version of Measure: use its measure",
		target->library);
	return false;
}

bool measure_attach_process(struct measure_target *target, const char *library, const char *part,
	const char *objects, struct measure_remote_time *time)
{
	static struct measure_attach_request request;

	*time = (struct measure_remote_time){0, 0};
	if (strlen(part) >= sizeof(request.part) || strlen(objects) >= sizeof(request.objects)) {
		measure_cli_say("%s: the path is too long", part);
		return false;
	}
	if (!target->library_base && !load_library(target, library, time))
		return false;
	if (!is_same_file(target->library, library)) {
		measure_cli_say("process %d: has loaded another Measure, %s: use that one",
			(int)target->pid, target->library);
		return false;
	}
	strcpy(request.part, part);
	strcpy(request.objects, objects);
	if (!ask_library(target, MEASURE_ATTACH_ENTRY, &request, time))
		return false;
	if (request.result == MEASURE_ATTACH_DONE)
		return true;
	if (request.result == MEASURE_ATTACH_RECORDED)
		measure_cli_say("process %d: is recorded already", (int)target->pid);
	else
		measure_cli_say("process %d: cannot be recorded: %s", (int)target->pid,
			measure_status_text((measure_status_t)request.status));
	return false;
}

bool measure_detach_process(struct measure_target *target, char *part, size_t size)
{
	static struct measure_attach_request request;
	struct measure_remote_time time = {0, 0};

	for (int i = 0; i < BUSY_TRIES; i++) {
		const struct timespec nap = {0, 1000000};

		memset(&request, 0, sizeof(request));
		if (!ask_library(target, MEASURE_DETACH_ENTRY, &request, &time))
			return false;
		snprintf(part, size, "%s", request.part);
		if (request.result == MEASURE_ATTACH_DONE)
			return true;
		if (request.result != MEASURE_ATTACH_BUSY)
			break;
		nanosleep(&nap, NULL);
	}
	if (request.result == MEASURE_ATTACH_IDLE)
		measure_cli_say("process %d: was started by measure: its recording ends when it "
				"does",
			(int)target->pid);
	else
		measure_cli_say("process %d: is in the middle of events: try again",
			(int)target->pid);
	return false;
}
