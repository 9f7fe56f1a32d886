/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Moves known numbers of bytes to and from files: moved FOLDER. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char block[4096];

static void must(int is_done)
{
	if (!is_done)
		_exit(1);
}

int main(int argc, char **argv)
{
	must(argc == 2 && chdir(argv[1]) == 0);
	int big = open("big", O_RDWR | O_CREAT | O_TRUNC, 0600), again;
	FILE *stream = fopen("stream", "w");

	must(big >= 0 && stream);
	for (int i = 0; i < 1000; i++)
		must(write(big, block, sizeof(block)) == sizeof(block));
	must(lseek(big, -1000, SEEK_END) > 0);
	/* a part of what was asked for, and nothing at the end */
	must(read(big, block, sizeof(block)) == 1000 && read(big, block, sizeof(block)) == 0);
	for (int i = 0; i < 50; i++)
		must(fwrite(block, 1, 100, stream) == 100);
	/* a file that is opened twice is one; a write that fails */
	again = open("big", O_RDONLY);
	must(pread(again, block, 24, 0) == 24 && write(again, block, 1) < 0);
	close(again);
	close(big);
	/* how many bytes scanf reads nobody knows */
	FILE *numbers = fopen("numbers", "w+");
	int number;
	must(numbers && fputs("1 2 3", numbers) >= 0 && fseek(numbers, 0, SEEK_SET) == 0);
	for (int i = 0; i < 3; i++)
		must(fscanf(numbers, "%d", &number) == 1);
	must(fclose(numbers) == 0);
	return fclose(stream) != 0;
}
