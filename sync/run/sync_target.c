/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names and directories of the result. */
#include "config.h"

#include "sync_target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "trace/common/containers.h"

#define INFIX  ".measure-sync."
#define RANDOM "XXXXXX"

/* Others may remove it before it is locked, or after: try again then. */
#define MOST_TRIES 16

/* ------------------------------------------------------------------------ names --- */

/* The directory that the archive is in; NULL: it cannot be told. */
static char *input_directory(const char *input)
{
	char *path = realpath(input, NULL), *slash;
	struct stat status;

	if (!path || stat(path, &status) != 0) {
		measure_cli_say(
			"%s: %s; name a directory or an .otf2 file", input, strerror(errno));
		measure_free(path);
		return NULL;
	}
	slash = strrchr(path, '/');
	if (!S_ISDIR(status.st_mode) && slash)
		*(slash == path ? slash + 1 : slash) = '\0';
	return path;
}

static char *without_slashes(const char *path)
{
	char *copy = measure_copy_text(path);
	size_t length = strlen(copy);

	while (length > 1 && copy[length - 1] == '/')
		copy[--length] = '\0';
	return copy;
}

/* --------------------------------------------------------------- what was left --- */

static bool is_left_over(const char *name, const char *base)
{
	const size_t length = strlen(base);

	return strlen(name) == length + strlen(INFIX RANDOM) && !strncmp(name, base, length) &&
	       !strncmp(name + length, INFIX, strlen(INFIX));
}

/* Removes it unless somebody works in it. Where there are no locks, nobody can tell. */
static void remove_left_over(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		measure_file_remove_tree(parent, name);
	else if (errno != EWOULDBLOCK)
		measure_cli_say("%s exists, perhaps left by a killed run; remove it if no "
				"measure-sync is running",
			name);
	close(fd);
}

static void remove_left_overs(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = measure_copy_text(slash ? path : ".");
	DIR *listing;

	if (slash)
		directory[slash == path ? 1 : slash - path] = '\0';
	listing = opendir(directory);
	measure_free(directory);
	if (!listing)
		return;
	for (struct dirent *entry; (entry = readdir(listing));)
		if (is_left_over(entry->d_name, slash ? slash + 1 : path))
			remove_left_over(dirfd(listing), entry->d_name);
	closedir(listing);
}

/* ----------------------------------------------------------------------- making --- */

/* False: another run has taken it for a left over one. */
static bool lock(struct sync_target *target)
{
	struct stat status;

	target->lock = open(target->making, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (target->lock < 0)
		return false;
	if ((flock(target->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
		fstat(target->lock, &status) == 0 && status.st_nlink > 0) {
		target->inode = status.st_ino;
		return true;
	}
	close(target->lock);
	target->lock = -1;
	return false;
}

/* As if mkdir had made it, or as it was. */
static void set_mode(const struct sync_target *target)
{
	const mode_t mask = umask(0);
	struct stat status;

	umask(mask);
	if (target->is_in_place && stat(target->path, &status) == 0)
		(void)!fchmod(target->lock, status.st_mode & 07777);
	else
		(void)!fchmod(target->lock, 0777 & ~mask);
}

static bool make_directory(struct sync_target *target)
{
	const size_t size = strlen(target->path) + sizeof(INFIX RANDOM);
	char *name = measure_zeroed(size, 1);

	for (int i = 0; i < MOST_TRIES; i++) {
		snprintf(name, size, "%s" INFIX RANDOM, target->path);
		if (!mkdtemp(name))
			break;
		target->making = name;
		if (lock(target)) {
			set_mode(target);
			return true;
		}
		target->making = NULL;
		errno = EAGAIN;
	}
	measure_cli_say("%s: %s; name another output with %s", target->path, strerror(errno),
		target->option);
	measure_free(name);
	return false;
}

bool sync_target_make(struct sync_target *target, const char *input, const char *output,
	const char *option, bool is_in_place)
{
	char *directory = input_directory(input);
	struct stat status;

	*target = (struct sync_target){.option = option, .is_in_place = is_in_place, .lock = -1};
	if (!directory)
		return false;
	target->path = without_slashes(is_in_place ? directory : output);
	measure_free(directory);
	if (!is_in_place && lstat(target->path, &status) == 0) {
		measure_cli_say(
			"%s: exists; name another output with -o, or use --in-place", target->path);
		return false;
	}
	remove_left_overs(target->path);
	return make_directory(target);
}

bool sync_target_take_name(const struct sync_target *target)
{
	const unsigned flags = target->is_in_place ? RENAME_EXCHANGE : RENAME_NOREPLACE;

	/* The old archive is removed next: the new one must not be in memory only then. */
	if (target->is_in_place && syncfs(target->lock) != 0) {
		measure_cli_say("%s: cannot write: %s", target->making, strerror(errno));
		return false;
	}
	if (renameat2(AT_FDCWD, target->making, AT_FDCWD, target->path, flags) == 0)
		return true;
	/* Not all file systems know the flags; a directory is not replaced unless it is empty. */
	if (!target->is_in_place && errno == EINVAL && rename(target->making, target->path) == 0)
		return true;
	measure_cli_say("%s: %s; name another output with %s", target->path, strerror(errno),
		target->option);
	return false;
}

bool sync_target_has_name(const struct sync_target *target)
{
	struct stat status;

	return target->path && stat(target->path, &status) == 0 && status.st_ino == target->inode;
}

void sync_target_free(struct sync_target *target)
{
	if (target->making)
		measure_file_remove_tree(AT_FDCWD, target->making);
	if (target->lock >= 0)
		close(target->lock);
	measure_free(target->path);
	measure_free(target->making);
}
