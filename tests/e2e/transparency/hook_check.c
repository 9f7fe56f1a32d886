/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Does in a bracket what no hook may do: hook_check WHAT. By the functions that adapters call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *nothing(void *unused)
{
	return unused;
}

static void break_rule(const char *what)
{
	pthread_t thread;

	if (strcmp(what, "malloc") == 0)
		free(*(void *volatile[]){malloc(10)});
	else if (strcmp(what, "pthread_mutex_lock") == 0)
		pthread_mutex_lock(&lock);
	else if (strcmp(what, "pthread_create") == 0)
		pthread_create(&thread, NULL, nothing, NULL);
	else if (strcmp(what, "dlsym") == 0)
		dlsym(RTLD_DEFAULT, "printf");
}

int main(int count, char **arguments)
{
	void *(*begin)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "measure_record_begin");
	void (*end)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "measure_record_end");
	void *location = begin ? begin() : NULL;

	if (!location)
		return 3;
	break_rule(count > 1 ? arguments[1] : "");
	end(location);
	break_rule(count > 1 ? arguments[1] : "");
	return 0;
}
