/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of zlib, for debian_libraries.sh: "count REGION CALLS" on stderr. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

int main(void)
{
	char text[4000], packed[5000], line[100];
	uLongf size = sizeof(packed), whole = sizeof(text);

	memset(text, 'x', sizeof(text));
	printf("%d", compress((Bytef *)packed, &size, (Bytef *)text, sizeof(text)));
	printf(" %d %lu\n", uncompress((Bytef *)text, &whole, (Bytef *)packed, size), whole);
	gzFile file = gzopen("use.gz", "w");
	for (int i = 0; i < 20; i++)
		gzprintf(file, "%d %s %g\n", i, "line", i / 2.0);
	gzclose(file);
	file = gzopen("use.gz", "r");
	while (gzgets(file, line, sizeof(line)))
		printf("%s", line);
	gzclose(file);
	fprintf(stderr, "count compress 1\ncount gzopen 2\ncount gzprintf 20\ncount gzgets "
			"21\ncount gzclose 2\n");
	return 0;
}
