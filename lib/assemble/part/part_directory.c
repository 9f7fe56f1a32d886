/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making, owning and counting parts; see part_directory.h. */
#include "config.h"

#include "part_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/procfs.h"
#include "cli/cli.h"
#include "part_hosts.h"
#include "parts.h"

#define CHILD_MARK "+"

#define LOOK_NS     1000000
#define DYING_LOOKS 1000

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), end_length = strlen(end);

	return length > end_length && strcmp(name + length - end_length, end) == 0;
}

/* Written aside and renamed: readers see all of it or nothing. */
measure_status_t measure_part_own(int part_fd)
{
	char text[MEASURE_OWNER_MOST];
	int fd = openat(part_fd, MEASURE_OWNER_NAME ".new",
		O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);

	if (fd < 0)
		return MEASURE_ERROR_IO;
	int length = measure_owner_write(text);
	bool is_written = write(fd, text, (size_t)length) == length;
	is_written = close(fd) == 0 && is_written;
	if (!is_written ||
		renameat(part_fd, MEASURE_OWNER_NAME ".new", part_fd, MEASURE_OWNER_NAME) != 0)
		return MEASURE_ERROR_IO;
	return MEASURE_OK;
}

static void name_part(char name[MEASURE_PART_NAME], pid_t pid, const char *mark)
{
	char host[256];

	measure_host_name(host);
	snprintf(name, MEASURE_PART_NAME, "%s-%d-%llu%s", host, (int)pid,
		(unsigned long long)measure_process_start(pid), mark);
}

void measure_part_break(int part_fd)
{
	renameat(part_fd, MEASURE_OWNER_NAME, part_fd, MEASURE_BROKEN_NAME);
}

bool measure_part_is_in_work(int parts_fd, const char *name)
{
	return faccessat(parts_fd, name, F_OK, 0) == 0;
}

bool measure_part_say_removed(int part_fd, const char *path)
{
	struct stat stat_;

	if (fstat(part_fd, &stat_) != 0 || stat_.st_nlink != 0)
		return false;
	measure_cli_say("%s: removed while the program was running: the recording is lost", path);
	return true;
}

/* Behind host, process and start time. */
static const char *find_mark(const char *name)
{
	const char *dash = strrchr(name, '-');

	return dash ? strstr(dash, CHILD_MARK) : NULL;
}

static bool is_child(const char *name)
{
	return find_mark(name) != NULL;
}

measure_status_t measure_part_done(int parts_fd, const char *name)
{
	char done[MEASURE_PART_NAME + 8];

	snprintf(done, sizeof(done), "%s.done", name);
	return renameat(parts_fd, name, parts_fd, done) == 0 ? MEASURE_OK : MEASURE_ERROR_IO;
}

/* A file or an empty folder. */
static measure_status_t clear_entry(void *data, int directory_fd, const char *name)
{
	(void)data;
	if (unlinkat(directory_fd, name, 0) != 0)
		unlinkat(directory_fd, name, AT_REMOVEDIR);
	return MEASURE_OK;
}

void measure_parts_remove(int parts_fd)
{
	measure_file_remove_tree(parts_fd, MEASURE_HOSTS_NAME);
	measure_file_visit(parts_fd, clear_entry, NULL);
}

void measure_part_off(int parts_fd, const char *name)
{
	char off[MEASURE_PART_NAME + 16];
	int part_fd = openat(parts_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	snprintf(off, sizeof(off), "%s.off", name);
	int off_fd =
		is_child(name) ? -1 : openat(parts_fd, off, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (off_fd >= 0)
		close(off_fd);
	if (part_fd >= 0) {
		measure_file_visit(part_fd, clear_entry, NULL);
		close(part_fd);
	}
	unlinkat(parts_fd, name, AT_REMOVEDIR);
}

static enum measure_owner_life part_directory_look(int parts_fd, const char *name)
{
	char path[MEASURE_PART_NAME + 64], text[MEASURE_OWNER_MOST];
	struct measure_owner owner;

	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s/" MEASURE_OWNER_NAME, parts_fd, name);
	measure_text_read(path, text, sizeof(text));
	if (measure_owner_parse(text, &owner))
		return measure_owner_look(&owner);
	/* No owner: the part was renamed just now, or is damaged. */
	return faccessat(parts_fd, name, F_OK, 0) == 0 ? MEASURE_OWNER_DEAD : MEASURE_OWNER_ALIVE;
}

/* It closes what it had before it is seen to be gone. */
static bool is_soon_dead(int parts_fd, const char *name)
{
	const struct timespec pause = {0, LOOK_NS};
	int left = DYING_LOOKS;

	while (part_directory_look(parts_fd, name) != MEASURE_OWNER_DEAD && left-- > 0)
		nanosleep(&pause, NULL);
	return left >= 0;
}

/* Of a guard that died before it had a keeper: the process asks again, for another one. */
static bool remove_abandoned(int parts_fd, const char *name)
{
	bool is_abandoned = false;
	int fd = openat(parts_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return false;
	is_abandoned = faccessat(fd, MEASURE_JOURNAL_OF_KEEPER, F_OK, 0) != 0 &&
		       is_soon_dead(parts_fd, name);
	if (is_abandoned)
		measure_file_visit(fd, clear_entry, NULL);
	close(fd);
	return is_abandoned && unlinkat(parts_fd, name, AT_REMOVEDIR) == 0;
}

static bool make_directory(int parts_fd, const char *name)
{
	return mkdirat(parts_fd, name, 0777) == 0 ||
	       (errno == EEXIST && remove_abandoned(parts_fd, name) &&
		       mkdirat(parts_fd, name, 0777) == 0);
}

static bool appear(int parts_fd, const char *hidden, const char *name)
{
	return renameat(parts_fd, hidden, parts_fd, name) == 0 ||
	       ((errno == EEXIST || errno == ENOTEMPTY) && remove_abandoned(parts_fd, name) &&
		       renameat(parts_fd, hidden, parts_fd, name) == 0);
}

/* Names that start with a dot are not counted: the part appears with its owner in it. */
static measure_status_t create(int parts_fd, const char *name, int *part_fd)
{
	char hidden[MEASURE_PART_NAME + 1];
	int error;

	snprintf(hidden, sizeof(hidden), ".%s", name);
	if (!make_directory(parts_fd, hidden))
		goto failed;
	*part_fd = openat(parts_fd, hidden, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*part_fd < 0)
		goto undo_directory;
	if (measure_part_own(*part_fd) != MEASURE_OK || !appear(parts_fd, hidden, name))
		goto undo_open;
	measure_hosts_add(parts_fd, name);
	return MEASURE_OK;

undo_open:
	error = errno;
	unlinkat(*part_fd, MEASURE_OWNER_NAME ".new", 0);
	unlinkat(*part_fd, MEASURE_OWNER_NAME, 0);
	close(*part_fd);
	errno = error;
undo_directory:
	error = errno;
	unlinkat(parts_fd, hidden, AT_REMOVEDIR);
	errno = error;
failed:
	measure_cli_say("cannot create part %s of the run directory: %s: choose another --output",
		name, strerror(errno));
	return MEASURE_ERROR_IO;
}

measure_status_t measure_part_create(int parts_fd, char name[MEASURE_PART_NAME], int *part_fd)
{
	name_part(name, getpid(), "");
	return create(parts_fd, name, part_fd);
}

measure_status_t measure_part_create_child(
	int parts_fd, pid_t pid, uint32_t generation, char name[MEASURE_PART_NAME], int *part_fd)
{
	char mark[16];

	snprintf(mark, sizeof(mark), generation > 1 ? CHILD_MARK "%u" : CHILD_MARK, generation);
	name_part(name, pid, mark);
	return create(parts_fd, name, part_fd);
}

bool measure_part_is_kept(int parts_fd, const char *name)
{
	return faccessat(parts_fd, name, F_OK, 0) == 0 &&
	       part_directory_look(parts_fd, name) == MEASURE_OWNER_ALIVE;
}

/* Where there are no links: who sees it before it is written waits for who made it. */
static bool begin_by_file(int parts_fd, const char *text)
{
	int fd = openat(
		parts_fd, MEASURE_ASSEMBLING_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return false;
	bool is_written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	int error = errno;
	close(fd);
	if (!is_written)
		unlinkat(parts_fd, MEASURE_ASSEMBLING_NAME, 0);
	errno = error;
	return is_written;
}

/* A link that leads nowhere: it is made at once, and says who made it. */
bool measure_parts_begin_assembly(int parts_fd)
{
	char text[MEASURE_OWNER_MOST];

	measure_owner_write(text);
	return symlinkat(text, parts_fd, MEASURE_ASSEMBLING_NAME) == 0 ||
	       (errno != EEXIST && begin_by_file(parts_fd, text));
}

void measure_parts_end_assembly(int parts_fd)
{
	unlinkat(parts_fd, MEASURE_ASSEMBLING_NAME, 0);
}

static ssize_t read_assembler(int parts_fd, char text[MEASURE_OWNER_MOST])
{
	ssize_t length =
		readlinkat(parts_fd, MEASURE_ASSEMBLING_NAME, text, MEASURE_OWNER_MOST - 1);

	if (length >= 0 || errno != EINVAL)
		return length;
	int fd = measure_file_open(parts_fd, MEASURE_ASSEMBLING_NAME, O_RDONLY);
	if (fd < 0)
		return -1;
	length = read(fd, text, MEASURE_OWNER_MOST - 1);
	close(fd);
	return length;
}

bool measure_parts_assembler_is_dead(int parts_fd)
{
	char text[MEASURE_OWNER_MOST];
	struct measure_owner owner;
	ssize_t length = read_assembler(parts_fd, text);

	text[length < 0 ? 0 : length] = '\0';
	return measure_owner_parse(text, &owner) &&
	       measure_owner_look(&owner) == MEASURE_OWNER_DEAD;
}

/* By its name: the keeper is there still, but what it kept is gone. */
static bool is_ending(const char *name)
{
	const char *place = find_mark(name);
	unsigned long long start;
	int pid;

	for (int dashes = 0; place && place > name && dashes < 2;)
		dashes += *--place == '-';
	return place && sscanf(place, "-%d-%llu", &pid, &start) == 2 &&
	       measure_process_start(pid) != start;
}

static void count_alive(const char *name, struct measure_parts *parts)
{
	parts->nr_alive++;
	parts->nr_alive_children += is_child(name);
	parts->nr_ending += is_child(name) && is_ending(name);
}

static void count_in_work(int parts_fd, const char *name, struct measure_parts *parts)
{
	char path[MEASURE_PART_NAME + 32];
	struct stat stat_;

	switch (part_directory_look(parts_fd, name)) {
	case MEASURE_OWNER_ALIVE:
		count_alive(name, parts);
		break;
	case MEASURE_OWNER_DEAD:
		parts->nr_dead++;
		break;
	case MEASURE_OWNER_ELSEWHERE:
		parts->nr_elsewhere++;
		snprintf(path, sizeof(path), "%s/" MEASURE_JOURNAL_OF_KEEPER, name);
		if (fstatat(parts_fd, path, &stat_, 0) == 0)
			parts->bytes_elsewhere += stat_.st_size;
		break;
	}
}

/* What the ranks of a world have agreed on, where it is a list; see run_layout.h. */
static void count_unrecorded(int parts_fd, const char *link, struct measure_parts *parts)
{
	char name[MEASURE_PART_NAME];
	ssize_t length = readlinkat(parts_fd, link, name, sizeof(name) - 1);
	struct stat stat_;
	uint32_t size;

	name[length < 0 ? 0 : length] = '\0';
	int fd = length < 0 ? -1 : measure_file_open(parts_fd, name, O_RDONLY);
	if (fd < 0)
		return;
	if (read(fd, &size, sizeof(size)) == sizeof(size) && fstat(fd, &stat_) == 0 &&
		(uint64_t)stat_.st_size / sizeof(size) <= size)
		parts->nr_unrecorded += size - (uint32_t)(stat_.st_size / sizeof(size) - 1);
	close(fd);
}

enum part_directory_kind { KIND_OTHER, KIND_IN_WORK, KIND_DONE, KIND_OFF, KIND_ASSEMBLING };

static enum part_directory_kind kind_of(const char *name)
{
	if (name[0] == '.' || strcmp(name, MEASURE_JOB_NAME) == 0 ||
		strlen(name) >= MEASURE_PART_NAME)
		return KIND_OTHER;
	if (strcmp(name, MEASURE_ASSEMBLING_NAME) == 0)
		return KIND_ASSEMBLING;
	if (ends_with(name, ".done"))
		return KIND_DONE;
	return ends_with(name, ".off") ? KIND_OFF : KIND_IN_WORK;
}

static measure_status_t count_entry(void *data, int parts_fd, const char *name)
{
	struct measure_parts *parts = data;

	parts->is_empty = false;
	switch (kind_of(name)) {
	case KIND_OTHER:
		if (strncmp(name, MEASURE_RANKS_PREFIX, strlen(MEASURE_RANKS_PREFIX)) == 0)
			count_unrecorded(parts_fd, name, parts);
		break;
	case KIND_IN_WORK:
		count_in_work(parts_fd, name, parts);
		break;
	case KIND_DONE:
		parts->nr_done++;
		parts->nr_done_children += is_child(name);
		parts->nr_lingering += part_directory_look(parts_fd, name) == MEASURE_OWNER_ALIVE;
		break;
	case KIND_OFF:
		parts->nr_off++;
		break;
	case KIND_ASSEMBLING:
		parts->is_assembling = true;
		break;
	}
	return MEASURE_OK;
}

measure_status_t measure_parts_count(int parts_fd, struct measure_parts *parts)
{
	memset(parts, 0, sizeof(*parts));
	parts->is_empty = true;
	return measure_file_visit(parts_fd, count_entry, parts);
}
