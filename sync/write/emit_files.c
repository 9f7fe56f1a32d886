/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that two archives have in common. */
#include "config.h"

#include "emit_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* The file system does not know reflinks, or these are two: nothing else will work either. */
static bool has_no_reflinks;

static bool reflink(int from_directory, const char *from, int to_directory, const char *to)
{
	int in = openat(from_directory, from, O_RDONLY | O_CLOEXEC), out;
	bool is_done = false;

	if (in < 0)
		return false;
	out = openat(to_directory, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out >= 0) {
		is_done = ioctl(out, FICLONE, in) == 0;
		has_no_reflinks = !is_done && errno != ENOSPC && errno != EDQUOT;
		close(out);
		if (!is_done)
			unlinkat(to_directory, to, 0);
	}
	close(in);
	return is_done;
}

enum emit_sharing emit_share(int from_directory, const char *from, int to_directory, const char *to)
{
	if (faccessat(from_directory, from, F_OK, 0) != 0)
		return errno == ENOENT ? EMIT_NOT_THERE : EMIT_FAILED;
	if (!has_no_reflinks && reflink(from_directory, from, to_directory, to))
		return EMIT_REFLINKED;
	/* What the name stands for, should it be a symbolic link. */
	if (linkat(from_directory, from, to_directory, to, AT_SYMLINK_FOLLOW) == 0)
		return EMIT_LINKED;
	if (measure_file_copy(from_directory, from, to_directory, to) == MEASURE_OK)
		return EMIT_COPIED;
	return EMIT_FAILED;
}

static bool copy_text(FILE *in, FILE *out)
{
	char line[1024];

	while (fgets(line, sizeof(line), in))
		fputs(line, out);
	return !ferror(in) && !ferror(out);
}

bool emit_summary(int from_directory, int to_directory, uint64_t nr_filtered)
{
	int from = openat(from_directory, "summary.txt", O_RDONLY | O_CLOEXEC), to = -1;
	FILE *in = from < 0 ? NULL : fdopen(from, "r"), *out = NULL;
	bool is_done = false;

	if (!in)
		return from < 0 && errno == ENOENT;
	to = openat(to_directory, "summary.txt", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (to >= 0)
		out = fdopen(to, "w");
	if (out) {
		fprintf(out,
			"measure-sync removed %" PRIu64 " events by a filter since this was "
			"written; the\narchive's properties name the regions.\n\n",
			nr_filtered);
		is_done = copy_text(in, out);
		is_done = fclose(out) == 0 && is_done;
	} else if (to >= 0) {
		close(to);
	}
	fclose(in);
	return is_done;
}

static bool is_omitted(const char *name, const char *const *suffixes)
{
	size_t length = strlen(name);

	for (; *suffixes; suffixes++)
		if (length >= strlen(*suffixes) &&
			!strcmp(name + length - strlen(*suffixes), *suffixes))
			return true;
	return false;
}

static bool share_directory(
	int from_directory, int to_directory, const char *name, const char *const *suffixes)
{
	int from = openat(from_directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), to;
	bool is_done = false;

	if (from < 0)
		return false;
	if (mkdirat(to_directory, name, 0777) != 0 && errno != EEXIST)
		goto close_from;
	to = openat(to_directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (to < 0)
		goto close_from;
	is_done = emit_share_all(from, to, suffixes);
	close(to);
close_from:
	close(from);
	return is_done;
}

static bool share_symlink(int from_directory, int to_directory, const char *name)
{
	char place[PATH_MAX];
	ssize_t length = readlinkat(from_directory, name, place, sizeof(place) - 1);

	if (length < 0)
		return false;
	place[length] = '\0';
	return symlinkat(place, to_directory, name) == 0 || errno == EEXIST;
}

static bool share_one(
	int from_directory, int to_directory, const char *name, const char *const *suffixes)
{
	struct stat status;

	if (fstatat(from_directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT;
	if (S_ISLNK(status.st_mode))
		return is_omitted(name, suffixes) ||
		       share_symlink(from_directory, to_directory, name);
	if (S_ISDIR(status.st_mode))
		return share_directory(from_directory, to_directory, name, suffixes);
	if (!S_ISREG(status.st_mode) || is_omitted(name, suffixes) ||
		faccessat(to_directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return true;
	return emit_share(from_directory, name, to_directory, name) != EMIT_FAILED;
}

struct sharing {
	int to_directory;
	const char *const *suffixes;
};

static measure_status_t share_entry(void *data, int from_directory, const char *name)
{
	const struct sharing *sharing = data;

	return share_one(from_directory, sharing->to_directory, name, sharing->suffixes)
		       ? MEASURE_OK
		       : MEASURE_ERROR_IO;
}

bool emit_share_all(int from_directory, int to_directory, const char *const *suffixes)
{
	struct sharing sharing = {to_directory, suffixes};

	return measure_file_visit(from_directory, share_entry, &sharing) == MEASURE_OK;
}
