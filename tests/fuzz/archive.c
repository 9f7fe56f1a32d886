/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: an archive, as measure-check reads it.
 *
 * The OTF2 library is not safe against damaged archives: measure-check reads in a child for that
 * reason. A fault inside of it ends the input here and is counted; one in our code, also when
 * the library calls us, ends the process. What the library has broken before shows later
 * only, as faults that cannot be repeated alone. */
#include "config.h"

#include <dlfcn.h>
#include <otf2/otf2.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "check/check.h"
#include "fuzz.h"

static const char *const folders[] = {"traces", NULL};
static sigjmp_buf before;
static uint64_t nr_foreign;

/* The library's name is that of the object in which this function of it lies. */
static bool is_foreign(const void *place)
{
	Dl_info here, library;

	return dladdr(place, &here) && dladdr((void *)(uintptr_t)OTF2_Reader_Open, &library) &&
	       strcmp(here.dli_fname, library.dli_fname) == 0;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *state = context;

	(void)info;
#if defined(__x86_64__)
	const void *place = (const void *)state->uc_mcontext.gregs[REG_RIP];
#elif defined(__powerpc64__)
	const void *place = (const void *)state->uc_mcontext.gp_regs[32];
#else
	const void *place = (const void *)state->uc_mcontext.pc;
#endif
	if (is_foreign(place)) {
		nr_foreign++;
		siglongjmp(before, 1);
	}
	signal(number, SIG_DFL);
}

static void say_foreign(void)
{
	fprintf(stderr, "faults in the OTF2 library: %llu\n", (unsigned long long)nr_foreign);
}

static void catch_faults(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
	atexit(say_foreign);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct check_wishes wishes = {.nr_kept_per_check = 5};
	static bool is_ready;
	struct check check;

	if (!is_ready)
		catch_faults();
	is_ready = true;
	fuzz_unpack(data, size, folders);
	if (sigsetjmp(before, 1))
		return 0;
	if (check_archive(fuzz_directory(), &wishes, &check) != MEASURE_OK &&
		!measure_trace_error()[0])
		fuzz_fault("cannot be read, and no word why");
	check_free(&check);
	return 0;
}
