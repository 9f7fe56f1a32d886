/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program in C that runs Python inside: two interpreters, one after the other, and a thread of its
 * own that calls Python. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void (*initialize)(int);
static int (*finalize)(void), (*run)(const char *), (*ensure)(void);
static void (*release)(int);
static void *(*save)(void);
static void (*restore)(void *);

static void find(void *library, const char *name, void *pointer)
{
	void *found = dlsym(library, name);

	memcpy(pointer, &found, sizeof(found));
}

static void find_all(void *library)
{
	find(library, "Py_InitializeEx", &initialize);
	find(library, "Py_FinalizeEx", &finalize);
	find(library, "PyRun_SimpleString", &run);
	find(library, "PyGILState_Ensure", &ensure);
	find(library, "PyGILState_Release", &release);
	find(library, "PyEval_SaveThread", &save);
	find(library, "PyEval_RestoreThread", &restore);
}

static void *call_python(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		int state = ensure();

		run("f(2)");
		release(state);
	}
	return NULL;
}

static void live(void)
{
	pthread_t thread;
	void *state;

	initialize(0);
	run("def f(n):\n return n and f(n - 1)\nf(3)");
	state = save();
	pthread_create(&thread, NULL, call_python, NULL);
	pthread_join(thread, NULL);
	restore(state);
	printf("%d\n", finalize());
}

int main(void)
{
	find_all(RTLD_DEFAULT);
	if (!initialize)
		return 77;
	live();
	live();
	return 0;
}
