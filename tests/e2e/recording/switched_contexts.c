/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts of a program's own on one thread, and stacks that lie in variables of a function. Prints
 * how often each of its functions was called. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#define UNSEEN __attribute__((no_instrument_function))

enum { CONTEXTS = 4, ROUNDS = 20000, STACK = 128 << 10 };

static _Atomic long nr_leaf, nr_middle, nr_work, nr_interrupted, nr_handle, nr_switches;

static void __attribute__((noinline)) leaf(void)
{
	nr_leaf++;
}

static void __attribute__((noinline)) middle(void)
{
	nr_middle++;
	for (int i = 0; i < 10; i++)
		leaf();
}

/* --- a timer's signal lets the next context go on, wherever the last one is ---------------- */

static ucontext_t home, contexts[CONTEXTS];
static volatile int current, is_done[CONTEXTS];
static sigset_t alarms;

static UNSEEN void tick(int number)
{
	int last = current, next = last;

	(void)number;
	do
		next = (next + 1) % CONTEXTS;
	while (next != last && is_done[next]);
	if (next == last || is_done[last])
		return;
	current = next;
	nr_switches++;
	swapcontext(&contexts[last], &contexts[next]);
}

/* Signals come in here only: swapcontext() itself is not made for them. */
static void work(int self)
{
	sigprocmask(SIG_UNBLOCK, &alarms, NULL);
	nr_work++;
	for (int i = 0; i < ROUNDS; i++)
		middle();
	is_done[self] = 1;
	sigprocmask(SIG_BLOCK, &alarms, NULL);
}

static void use_timer(void)
{
	static char stacks[CONTEXTS][STACK];
	struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarms, NULL);
	for (int i = 0; i < CONTEXTS; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = STACK;
		contexts[i].uc_link = &home;
		makecontext(&contexts[i], (void (*)(void))work, 1, i);
	}
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < CONTEXTS; i++)
		while (!is_done[i]) {
			current = i;
			swapcontext(&home, &contexts[i]);
		}
	setitimer(ITIMER_REAL, &never, NULL);
	fprintf(stderr, "%ld switches\n", nr_switches);
}

/* --- signals are handled on a stack that lies in a variable --------------------------------- */

static void handle(int number)
{
	(void)number;
	nr_handle++;
	leaf();
}

static void __attribute__((noinline)) interrupted(void)
{
	nr_interrupted++;
	raise(SIGUSR1);
	middle();
	raise(SIGUSR1);
}

static void use_array(void)
{
	char memory[STACK];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)},
		none = {.ss_flags = SS_DISABLE};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

	memset(memory, 0, sizeof(memory));
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 100; i++)
		interrupted();
	sigaltstack(&none, NULL);
}

int main(int count, char **arguments)
{
	if (count > 1 && strcmp(arguments[1], "timer") == 0)
		use_timer();
	else
		use_array();
	printf("leaf %ld\nmiddle %ld\nwork %ld\ninterrupted %ld\nhandle %ld\n", nr_leaf, nr_middle,
		nr_work, nr_interrupted, nr_handle);
	return 0;
}
