/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Linked to everything that tests/sanitize builds, as a library, for it comes before those of the
 * sanitizers: their options. They cannot come by the environment, which tests empty and compare.
 * What ASAN_OPTIONS and UBSAN_OPTIONS say is added to them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

/* libmeasure.so is there before AddressSanitizer, as it is before all that programs of users bring.
 * Signals are the program's: tests look at how they end it, and whether it has handlers. Leaks are
 * for valgrind: MPI and OTF2 have some of their own, and looking for them fails in processes that
 * others watch. memmem() in the data of a whole object, which is how an adapter finds a text in it
 * (adapters/common/tool_variable.c), meets the poisoned bytes between its variables, on purpose. */
const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
	       "detect_leaks=0:intercept_memmem=0:log_path=" REPORTS;
}

const char *__ubsan_default_options(void)
{
	return "print_stacktrace=1:log_path=" REPORTS;
}

/* Called before a report of undefined behaviour: beside AddressSanitizer, log_path of that one says
 * where AddressSanitizer writes, and itself it writes to stderr. A keeper's words would be lost. */
void __ubsan_on_report(void)
{
	void *sanitizer = dlopen("libubsan.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *set = sanitizer ? dlsym(sanitizer, "__sanitizer_set_report_path") : NULL;

	if (set)
		((void (*)(const char *))set)(REPORTS);
}
