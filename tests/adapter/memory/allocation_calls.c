/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each function of C that the adapter records, with sizes that tell the calls apart; and what may
 * fail. Ends with 0 if all that the program sees is right. */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int status;

static void expect(int is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "not so: %s\n", what);
	status = 1;
}

static void aligned(void)
{
	void *memory = NULL;

	expect(posix_memalign(&memory, 256, 1003) == 0 && (uintptr_t)memory % 256 == 0,
		"posix_memalign");
	free(memory);
	expect(posix_memalign(&memory, 3, 1004) == EINVAL, "posix_memalign fails");
	memory = aligned_alloc(512, 1024);
	expect((uintptr_t)memory % 512 == 0, "aligned_alloc");
	free(memory);
	memory = memalign(1024, 1005);
	expect((uintptr_t)memory % 1024 == 0, "memalign");
	free(memory);
	memory = valloc(1006);
	free(memory);
	memory = pvalloc(1007);
	free(memory);
}

static void changed(void)
{
	char *memory = realloc(NULL, 2001), *more;
	volatile size_t too_much = SIZE_MAX / 2;

	strcpy(memory, "kept");
	memory = realloc(memory, 200002);
	memory = reallocarray(memory, 3, 700);
	errno = 0;
	more = realloc(memory, too_much);
	expect(!more && errno == ENOMEM, "realloc fails");
	more = reallocarray(memory, too_much, 4);
	expect(!more && errno == ENOMEM, "reallocarray fails");
	expect(strcmp(memory, "kept") == 0, "realloc keeps");
	free(memory);
}

static void plain(void)
{
	volatile size_t too_much = SIZE_MAX / 2;
	void *volatile memory = malloc(1001);
	char *volatile zero;

	free(memory);
	memory = NULL;
	free(memory);
	zero = calloc(11, 182);
	expect(zero[2001] == 0, "calloc clears");
	free(zero);
	errno = 0;
	memory = malloc(too_much);
	expect(!memory && errno == ENOMEM, "malloc fails");
	memory = calloc(too_much, 3);
	expect(!memory, "calloc fails");
	errno = EDOM;
	memory = malloc(0);
	free(memory);
	expect(errno == EDOM, "errno is kept");
}

static void mapped(void)
{
	char *memory =
		mmap(NULL, 40960, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	expect(memory != MAP_FAILED, "mmap");
	memory = mremap(memory, 40960, 81920, MREMAP_MAYMOVE);
	expect(memory != MAP_FAILED, "mremap");
	memory[81919] = 1;
	expect(munmap(memory, 81920) == 0, "munmap");
	errno = 0;
	memory = mmap64(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(memory == MAP_FAILED && errno == EINVAL, "mmap64 fails");
}

int main(void)
{
	plain();
	aligned();
	changed();
	mapped();
	return status;
}
