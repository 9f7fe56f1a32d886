/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec() and posix_spawn() in all their forms: where what they start is followed, it gets the
 * environment that exec_environment.h makes. Nothing else changes: what fails, fails as ever, and
 * nothing of ours is different afterwards. They run in forked children of programs with threads and
 * in children of vfork(): no lock, no allocation, memory on the stack only. */
#include "config.h"

#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec_environment.h"
#include "next_function.h"

#define EXPORTED __attribute__((visibility("default")))

struct measure_starts measure_starts;

/* Before the constructor of start.c. */
__attribute__((constructor(65533))) static void find_starts(void)
{
	void *found;

#define START(result, name, parameters)                                                            \
	found = measure_next_function(#name);                                                           \
	memcpy(&measure_starts.name, &found, sizeof(found));
#include "exec_calls.def"
#undef START
}

/* ------------------------------------------------------------------------ which file --- */

#define DEFAULT_PATH "/bin:/usr/bin"

static const char *list_of_paths(void)
{
	const char *list = getenv("PATH");

	return list ? list : DEFAULT_PATH;
}

/* Bytes for the path of a file that is looked for. */
static size_t room_for(const char *file)
{
	return strlen(list_of_paths()) + strlen(file) + 3;
}

static bool is_program(const char *path)
{
	struct stat stat_;

	return stat(path, &stat_) == 0 && S_ISREG(stat_.st_mode) &&
	       faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0;
}

/* The file that execvp() is going to find; NULL: none. */
static const char *exec_search(const char *file, char *path)
{
	const char *list = list_of_paths();

	if (strchr(file, '/'))
		return file;
	for (;;) {
		size_t length = strcspn(list, ":");
		memcpy(path, list, length);
		strcpy(path + length, length ? "/" : "");
		strcat(path, file);
		if (is_program(path))
			return path;
		if (list[length] == '\0')
			return NULL;
		list += length + 1;
	}
}

static char *write_number(char *end, unsigned int number)
{
	do
		*--end = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return end;
}

#define ROOM_FOR_LINK 48

/* "/proc/PID/fd/N", in `text`: the keeper reads it. */
static const char *name_descriptor(int fd, char text[ROOM_FOR_LINK])
{
	char digits[16] = "";

	strcpy(text, "/proc/");
	strcat(text, write_number(digits + sizeof(digits) - 1, (unsigned int)getpid()));
	strcat(text, "/fd/");
	strcat(text, write_number(digits + sizeof(digits) - 1, (unsigned int)fd));
	return text;
}

/* -------------------------------------------------------------------- what they share --- */

/* One call of any of them. */
struct start {
	enum { EXEC_PATH, EXEC_FILE, EXEC_AT, EXEC_FD, SPAWN_PATH, SPAWN_FILE } how;
	const char *name;
	char *const *arguments;
	char *const *environment;
	int fd;
	int flags;
	pid_t *child;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
};

/* As those of the C library return: -1 and errno, or the error where it is a spawn. */
static int call(const struct start *start, char *const *environment)
{
	switch (start->how) {
	case EXEC_PATH:
		return measure_starts.execve(start->name, start->arguments, environment);
	case EXEC_FILE:
		return measure_starts.execvpe(start->name, start->arguments, environment);
	case EXEC_AT:
		return measure_starts.execveat(
			start->fd, start->name, start->arguments, environment, start->flags);
	case EXEC_FD:
		return measure_starts.fexecve(start->fd, start->arguments, environment);
	case SPAWN_PATH:
		return measure_starts.posix_spawn(start->child, start->name, start->actions,
			start->attributes, start->arguments, environment);
	case SPAWN_FILE:
		return measure_starts.posix_spawnp(start->child, start->name, start->actions,
			start->attributes, start->arguments, environment);
	}
	return -1;
}

static bool is_spawn(const struct start *start)
{
	return start->how == SPAWN_PATH || start->how == SPAWN_FILE;
}

static int try_with(
	const struct start *start, struct measure_exec_environment *image, char *const *environment)
{
	int result = call(start, environment);
	int saved = errno;

	if (result != 0)
		measure_exec_environment_failed(image);
	errno = saved;
	return result;
}

static int exec_run(const struct start *start, const char *path)
{
	struct measure_exec_environment image;
	size_t size =
		measure_exec_environment_ask(&image, path, start->environment, is_spawn(start));
	int result;

	if (size == 0)
		return try_with(start, &image, start->environment);
	result = try_with(start, &image, measure_exec_environment_make(&image, alloca(size)));
	if ((is_spawn(start) ? result : errno) != E2BIG)
		return result;
	measure_exec_environment_leave(&image); /* our two variables were too much */
	return try_with(start, &image, start->environment);
}

static int run_by_path(const struct start *start)
{
	return exec_run(start, start->name);
}

static int run_by_search(const struct start *start)
{
	if (!start->name)
		return call(start, start->environment);
	return exec_run(start, exec_search(start->name, alloca(room_for(start->name))));
}

static int run_by_descriptor(const struct start *start)
{
	char link[ROOM_FOR_LINK];

	return exec_run(start, name_descriptor(start->fd, link));
}

/* --------------------------------------------------------------------------- exec() --- */

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[])
{
	return run_by_path(&(struct start){EXEC_PATH, path, arguments, environment});
}

EXPORTED int execv(const char *path, char *const arguments[])
{
	return run_by_path(&(struct start){EXEC_PATH, path, arguments, environ});
}

EXPORTED int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	return run_by_search(&(struct start){EXEC_FILE, file, arguments, environment});
}

EXPORTED int execvp(const char *file, char *const arguments[])
{
	return run_by_search(&(struct start){EXEC_FILE, file, arguments, environ});
}

EXPORTED int fexecve(int fd, char *const arguments[], char *const environment[])
{
	return run_by_descriptor(&(struct start){EXEC_FD, NULL, arguments, environment, .fd = fd});
}

/* Relative to another directory than ours it is not followed: its file has no name that we could
 * tell without looking for it. */
static int run_at(const struct start *start)
{
	const char *path = start->name;

	if (path && *path == '\0' && start->flags & AT_EMPTY_PATH)
		return run_by_descriptor(start);
	if (path && (*path == '/' || start->fd == AT_FDCWD))
		return run_by_path(start);
	return call(start, start->environment);
}

EXPORTED int execveat(int directory, const char *path, char *const arguments[],
	char *const environment[], int flags)
{
	return run_at(&(struct start){
		EXEC_AT, path, arguments, environment, .fd = directory, .flags = flags});
}

/* Arguments behind the first one, as many as there are, and NULL. */
static size_t exec_count(va_list list)
{
	size_t nr = 0;

	while (va_arg(list, char *))
		nr++;
	return nr;
}

/* *list is behind NULL then. A copy would not do: what a va_list is after a call that it was passed to depends
 * on the processor. */
static void exec_collect(char **arguments, const char *first, va_list *list)
{
	char **next = arguments;

	for (*next = (char *)(uintptr_t)first; *next; *next = va_arg(*list, char *))
		next++;
}

/* Declares `arguments`, of the function that has `first` and what follows it. */
#define COLLECT(arguments, list, first)                                                            \
	va_start(list, first);                                                                     \
	char **arguments = alloca((exec_count(list) + 2) * sizeof(char *));                        \
	va_end(list);                                                                              \
	va_start(list, first);                                                                     \
	exec_collect(arguments, first, &(list))

EXPORTED int execl(const char *path, const char *first, ...)
{
	va_list list;

	COLLECT(arguments, list, first);
	va_end(list);
	return execv(path, arguments);
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
	va_list list;

	COLLECT(arguments, list, first);
	va_end(list);
	return execvp(file, arguments);
}

EXPORTED int execle(const char *path, const char *first, ...)
{
	va_list list;

	COLLECT(arguments, list, first);
	char *const *environment = va_arg(list, char *const *);
	va_end(list);
	return execve(path, arguments, environment);
}

/* -------------------------------------------------------------------- posix_spawn() --- */

EXPORTED int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
	return run_by_path(&(struct start){SPAWN_PATH, path, arguments, environment, .child = child,
		.actions = actions, .attributes = attributes});
}

EXPORTED int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
	return run_by_search(&(struct start){SPAWN_FILE, file, arguments, environment,
		.child = child, .actions = actions, .attributes = attributes});
}
