/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Environments of programs that are started; see exec_environment.h. */
#include "config.h"

#include "exec_environment.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "follow.h"
#include "format/rendezvous.h"

static bool is_variable(const char *entry, const char *name)
{
	return strncmp(entry, name, strlen(name)) == 0;
}

static void look_at_environment(struct measure_exec_environment *image)
{
	image->nr = 0;
	image->preload = NULL;
	if (!image->environment)
		return;
	for (; image->environment[image->nr]; image->nr++) {
		const char *entry = image->environment[image->nr];
		if (!image->preload && is_variable(entry, MEASURE_PRELOAD_VARIABLE))
			image->preload = entry + strlen(MEASURE_PRELOAD_VARIABLE);
	}
}

/* The array with two more variables and its end; "LD_PRELOAD=<ours>:<the user's>". */
static size_t needed(const struct measure_exec_environment *image)
{
	size_t text = strlen(MEASURE_PRELOAD_VARIABLE) + image->answer + 1;

	if (image->preload)
		text += strlen(image->preload) + 1;
	return (image->nr + 3) * sizeof(char *) + text;
}

/* Neither exec() nor posix_spawn() is a cancellation point; what asks the keeper is. In a child of
 * vfork() the thread is the parent's: its state is as before when this returns. */
static size_t ask_keeper(struct measure_exec_environment *image, const char *path)
{
	size_t size = 0;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	if (measure_rendezvous_ask(measure_follow_part(), path, image->environment,
		    &image->connection, &image->answer) == MEASURE_OK) {
		size = image->answer > 1 ? needed(image) : 0;
		if (size == 0)
			close(image->connection);
	} else {
		measure_exec_environment_leave(image);
	}
	pthread_setcancelstate(state, NULL);
	return size;
}

size_t measure_exec_environment_ask(struct measure_exec_environment *image, const char *path,
	char *const *environment, bool is_child)
{
	int saved = errno;
	size_t size;

	image->is_expected = image->is_missed = false;
	if (!measure_follow_has_images(is_child) || !path)
		return 0;
	image->environment = environment;
	image->is_child = is_child || measure_follow_is_guest();
	look_at_environment(image);
	size = ask_keeper(image, path);
	errno = saved;
	return size;
}

/* Where it has another root, the loader would complain, or end the program. The first path counts:
 * before it there may be the name of a library that the program needs. */
static bool can_load(char *list)
{
	char *path = strchr(list, '/'), *end = path ? strchr(path, ':') : NULL;

	if (!path || !measure_follow_same_system())
		return false;
	if (end)
		*end = '\0';
	bool result = access(path, R_OK) == 0;
	if (end)
		*end = ':';
	return result;
}

static char *const *compose(
	const struct measure_exec_environment *image, char **variables, char *preload)
{
	size_t nr = 0, place = image->nr;

	for (size_t i = 0; i < image->nr; i++) {
		if (is_variable(image->environment[i], MEASURE_PART_VARIABLE))
			continue;
		if (image->preload &&
			image->environment[i] + strlen(MEASURE_PRELOAD_VARIABLE) == image->preload)
			place = nr;
		variables[nr++] = image->environment[i];
	}
	if (!image->preload)
		place = nr++;
	variables[place] = preload;
	variables[nr++] = (char *)measure_follow_variable();
	variables[nr] = NULL;
	return variables;
}

static bool take_answer(const struct measure_exec_environment *image, char *list)
{
	measure_status_t status;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	status = measure_rendezvous_take(image->connection, list, image->answer);
	pthread_setcancelstate(state, NULL);
	return status == MEASURE_OK && can_load(list);
}

char *const *measure_exec_environment_make(struct measure_exec_environment *image, void *memory)
{
	char *preload = (char *)((char **)memory + image->nr + 3);
	char *list = preload + strlen(MEASURE_PRELOAD_VARIABLE);
	int saved = errno;

	strcpy(preload, MEASURE_PRELOAD_VARIABLE);
	bool is_there = take_answer(image, list);
	errno = saved;
	if (!is_there) {
		measure_exec_environment_leave(image);
		return image->environment;
	}
	if (image->preload)
		strcat(strcat(list, ":"), image->preload);
	image->is_expected = image->is_child;
	if (image->is_expected)
		measure_follow_expect_image(1);
	return compose(image, memory, preload);
}

void measure_exec_environment_leave(struct measure_exec_environment *image)
{
	image->is_missed = true;
	measure_follow_miss(1);
}

void measure_exec_environment_failed(struct measure_exec_environment *image)
{
	if (image->is_expected)
		measure_follow_expect_image(-1);
	if (image->is_missed)
		measure_follow_miss(-1);
	image->is_expected = image->is_missed = false;
}
