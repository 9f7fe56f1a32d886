/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Damages one file of an archive, the same way for the same seed:
 * mutate SEED FILE... picks a file and truncates it, or changes a few of its bytes. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"

static uint64_t state;

static uint64_t draw(uint64_t limit)
{
	return measure_random(&state) % limit;
}

static void change_byte(FILE *file, long size)
{
	static const uint8_t special[] = {0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
	long at = (long)draw((uint64_t)size);
	int byte;

	fseek(file, at, SEEK_SET);
	byte = fgetc(file);
	if (draw(2))
		byte ^= 1 << draw(8);
	else
		byte = special[draw(sizeof(special))];
	fseek(file, at, SEEK_SET);
	fputc(byte, file);
}

int main(int argc, char **argv)
{
	FILE *file;
	long size;

	if (argc < 3)
		return 2;
	state = strtoull(argv[1], NULL, 10);
	file = fopen(argv[2 + draw((uint64_t)argc - 2)], "r+");
	if (!file || fseek(file, 0, SEEK_END) != 0)
		return 2;
	size = ftell(file);
	if (size == 0)
		return 0;
	if (draw(5) == 0)
		return ftruncate(fileno(file), (off_t)draw((uint64_t)size)) ? 2 : 0;
	for (uint64_t nr = 1 + draw(4); nr > 0; nr--)
		change_byte(file, size);
	return fclose(file) ? 2 : 0;
}
