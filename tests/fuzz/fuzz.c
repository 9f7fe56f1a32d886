/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inputs of fuzz targets as files; see fuzz.h. */
#include "config.h"

#include "fuzz.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "format/run_layout.h"
#include "format/journal.h"
#include "format/event_chunk.h"

#define MARK       "@@@"
#define RAW        255
#define ROOM       64 /* bytes, more than a WORLD record has */
#define MOST_RANKS 64
#define MOST_BYTES (4 * FUZZ_CHUNK) /* of a file */

void fuzz_fault(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	abort();
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* ------------------------------------------------------------------------- files --- */

bool fuzz_next(const uint8_t *data, size_t size, size_t *position, struct fuzz_file *file)
{
	const uint8_t *end = data + size, *mark, *line, *next;

	mark = size ? memmem(data + *position, size - *position, MARK, strlen(MARK)) : NULL;
	if (!mark)
		return false;
	mark += strlen(MARK);
	line = memchr(mark, '\n', (size_t)(end - mark));
	if (!line)
		return false;
	file->data = line + 1;
	next = memmem(file->data, (size_t)(end - file->data), MARK, strlen(MARK));
	file->size = (size_t)((next ? next : end) - file->data);
	snprintf(file->name, sizeof(file->name), "%.*s", (int)(line - mark), (const char *)mark);
	*position = (size_t)(file->data + file->size - data);
	return true;
}

/* A damaged record may tell of a large job: that is right, but then an archive has as many files,
 * and takes its time. Ours stay small. */
static size_t lessen(uint8_t *frame, uint32_t kind, size_t payload_size)
{
	struct measure_decoder decoder = {frame + MEASURE_JOURNAL_FRAME, payload_size, 0};
	size_t size = MEASURE_JOURNAL_FRAME + payload_size;
	struct measure_def_world world;
	struct measure_def_comm comm;

	if (kind == MEASURE_RECORD_WORLD &&
		measure_def_world_decode(&decoder, &world) == MEASURE_OK) {
		world.size %= MOST_RANKS;
		return measure_def_world_frame(&world, frame, size + ROOM);
	}
	if (kind == MEASURE_RECORD_COMM && measure_def_comm_decode(&decoder, &comm) == MEASURE_OK &&
		comm.nr_others >= MOST_RANKS)
		return 0;
	return measure_journal_seal(frame, kind, payload_size);
}

uint8_t *fuzz_journal(const uint8_t *data, size_t size, size_t *journal_size)
{
	uint8_t *journal = calloc(1, (12 + ROOM) * size + 8 * RAW + MEASURE_JOURNAL_FRAME + ROOM);
	size_t used = 0;

	if (!journal)
		abort();
	for (size_t at = 0; at + 2 <= size;) {
		size_t nr = (size_t)8 * data[at], kind = data[at + 1], left = size - at - 2;
		const uint8_t *payload = data + at + 2;
		if (kind == RAW)
			nr = left;
		if (kind == RAW) {
			memcpy(journal + used, payload, left);
			used += left;
		} else {
			memcpy(journal + used + MEASURE_JOURNAL_FRAME, payload,
				nr < left ? nr : left);
			used += lessen(journal + used, (uint32_t)kind, nr);
		}
		at += 2 + nr;
	}
	*journal_size = used;
	return journal;
}

/* --------------------------------------------------------------------- directory --- */

static char directory[64];
static pid_t owner; /* children of the process leave it alone */

static void remove_directory(void)
{
	if (owner == getpid())
		measure_file_remove_tree(AT_FDCWD, directory);
}

const char *fuzz_directory(void)
{
	if (directory[0])
		return directory;
	strcpy(directory, "/dev/shm/measure-fuzz-XXXXXX");
	if (!mkdtemp(directory)) {
		strcpy(directory, "/tmp/measure-fuzz-XXXXXX");
		if (!mkdtemp(directory))
			fuzz_fault("no temporary directory can be made");
	}
	owner = getpid();
	atexit(remove_directory);
	return directory;
}

static bool is_journal(const char *file)
{
	return strcmp(file, MEASURE_JOURNAL_OF_PROCESS) == 0 ||
	       strcmp(file, MEASURE_JOURNAL_OF_KEEPER) == 0;
}

/* The chunk before is full: behind what is in it come end marks. */
static void fill_chunk(int fd, size_t size)
{
	static uint8_t filler[FUZZ_CHUNK];
	size_t rest = (FUZZ_CHUNK - size % FUZZ_CHUNK) % FUZZ_CHUNK;

	memset(filler, MEASURE_CHUNK_END_OF_CHUNK, sizeof(filler));
	measure_file_write_at(fd, filler, rest, size);
}

static void append(int fd, const struct fuzz_file *file, const uint8_t *data, size_t size)
{
	struct stat stat;

	if (fstat(fd, &stat) != 0 || (size_t)stat.st_size + size > MOST_BYTES)
		return;
	if (strstr(file->name, MEASURE_EVENTS_SUFFIX) && stat.st_size > 0) {
		fill_chunk(fd, (size_t)stat.st_size);
		fstat(fd, &stat);
	}
	measure_file_write_at(fd, data, size, (uint64_t)stat.st_size);
}

static void write_file(int directory_fd, const struct fuzz_file *file, const char *base)
{
	size_t size = file->size;
	uint8_t *journal = is_journal(base) ? fuzz_journal(file->data, size, &size) : NULL;
	int fd = openat(directory_fd, file->name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd >= 0) {
		append(fd, file, journal ? journal : file->data, size);
		close(fd);
	}
	free(journal);
}

/* The name without its folder; NULL: it must not be used. */
static const char *base_of(const char *name, const char *const *folders)
{
	const char *slash = strrchr(name, '/');
	size_t length = slash ? (size_t)(slash - name) : 0;

	while (slash && *folders && (strncmp(name, *folders, length) != 0 || (*folders)[length]))
		folders++;
	if (slash && !*folders)
		return NULL;
	name = slash ? slash + 1 : name;
	return name[0] && name[0] != '.' ? name : NULL;
}

void fuzz_unpack(const uint8_t *data, size_t size, const char *const *folders)
{
	struct fuzz_file file;
	size_t position = 0;

	fuzz_directory();
	measure_file_remove_tree(AT_FDCWD, directory);
	int fd = mkdir(directory, 0777) == 0 ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
					     : -1;
	if (fd < 0)
		fuzz_fault("%s cannot be made", directory);
	for (size_t i = 0; folders[i]; i++)
		mkdirat(fd, folders[i], 0777);
	while (fuzz_next(data, size, &position, &file)) {
		const char *base = base_of(file.name, folders);
		if (base)
			write_file(fd, &file, base);
	}
	close(fd);
}
