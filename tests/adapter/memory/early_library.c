/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that is preloaded, and whose constructor runs before those of Measure: what it
 * allocates then it changes and frees at the end. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text, *list;

__attribute__((constructor)) static void begin(void)
{
	text = malloc(100);
	list = calloc(10, 10);
	strcpy(text, "early");
	free(malloc(50));
	text = realloc(text, 5000);
}

__attribute__((destructor)) static void end(void)
{
	text = realloc(text, 10000);
	puts(text);
	free(text);
	free(list);
}
