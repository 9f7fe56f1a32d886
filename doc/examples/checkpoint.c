/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that writes checkpoints to files, as long simulations do, and restarts from the last:
 * blocks by POSIX calls, with fsync, and a table of contents by ISO C.
 *
 *	gcc -O2 -g -o checkpoint checkpoint.c
 *	measure -a +posixio -o run1 ./checkpoint DIRECTORY
 *	measure-check run1		# numbers of files, operations and bytes
 *	otf2-print run1/traces.otf2	# each operation with its time
 *
 * Prints the numbers of bytes that it has written and read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 4, BLOCKS = 64, BLOCK = 4096 };

static double field[BLOCKS * BLOCK / sizeof(double)];
static unsigned long written, read_back;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static const char *path_of(const char *directory, const char *name, int step)
{
	static char path[4096];

	snprintf(path, sizeof(path), step < 0 ? "%s/%s" : "%s/%s.%d", directory, name, step);
	return path;
}

static void compute(void)
{
	for (size_t i = 1; i < sizeof(field) / sizeof(*field); i++)
		field[i] = 0.5 * (field[i] + field[i - 1]) + 1;
}

/* Writes each block to its place, the last one first, so that the file has its final size. */
static void save(const char *directory, int step)
{
	const char *from = (const char *)field;
	const int fd = open(path_of(directory, "field", step), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		fail("field");
	for (int i = BLOCKS - 1; i >= 0; i--) {
		if (pwrite(fd, from + (size_t)i * BLOCK, BLOCK, (off_t)i * BLOCK) != BLOCK)
			fail("pwrite");
		written += BLOCK;
	}
	if (fsync(fd) != 0 || close(fd) != 0)
		fail("close");
}

/* One line for each step. */
static void note(const char *directory, int step)
{
	FILE *contents = fopen(path_of(directory, "contents", -1), step ? "a" : "w");

	if (!contents)
		fail("contents");
	written += (unsigned long)fprintf(contents, "step %d: %d blocks\n", step, BLOCKS);
	fclose(contents);
}

/* The last step in the table of contents. */
static void restore(const char *directory)
{
	FILE *contents = fopen(path_of(directory, "contents", -1), "r");
	char line[100];
	int step = -1, fd;

	while (contents && fgets(line, sizeof(line), contents)) {
		sscanf(line, "step %d", &step);
		read_back += strlen(line);
	}
	if (!contents || fclose(contents) != 0 || step < 0)
		fail("contents");
	fd = open(path_of(directory, "field", step), O_RDONLY);
	if (fd < 0 || read(fd, field, sizeof(field)) != (ssize_t)sizeof(field))
		fail("field");
	read_back += sizeof(field);
	close(fd);
}

int main(int argc, char **argv)
{
	const char *directory = argc > 1 ? argv[1] : ".";
	double last;

	for (int step = 0; step < STEPS; step++) {
		compute();
		save(directory, step);
		note(directory, step);
	}
	last = field[100];
	restore(directory);
	for (int step = 0; step < STEPS; step++)
		unlink(path_of(directory, "field", step));
	unlink(path_of(directory, "contents", -1));
	printf("written %lu, read %lu: %s\n", written, read_back,
		field[100] == last ? "right" : "wrong");
	return field[100] != last;
}
