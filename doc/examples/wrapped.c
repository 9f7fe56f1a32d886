/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compresses blocks of numbers with zlib, the smoother the better, and says how often it has called
 * compress2() and what came of it. wrapped.sh records these calls: zlib is neither recompiled nor
 * changed. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define NR_BLOCKS  40
#define BLOCK_SIZE 16384

static unsigned char block[BLOCK_SIZE], compressed[2 * BLOCK_SIZE];

static void fill(int smoothness)
{
	for (int i = 0; i < BLOCK_SIZE; i++)
		block[i] = (unsigned char)(rand() % (256 >> smoothness % 8));
}

int main(void)
{
	unsigned long before = 0, after = 0;

	for (int i = 0; i < NR_BLOCKS; i++) {
		unsigned long size = sizeof(compressed);
		fill(i);
		if (compress2(compressed, &size, block, BLOCK_SIZE, i < NR_BLOCKS / 2 ? 1 : 9) !=
			Z_OK)
			return 1;
		before += BLOCK_SIZE;
		after += size;
	}
	printf("compress2: %d calls, %lu bytes, %lu compressed\n", NR_BLOCKS, before, after);
	return 0;
}
