/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Uses NVTX and ROCTX in all the ways that there are: ranges that nest, hundreds deep, that overlap
 * and end on another thread, domains, categories, payloads, registered and wide names, marks, pops
 * without a push, a forked child. Without a tool it does nothing. Says of itself how often, as
 * tests/adapter/kokkos/tool_host.c does. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t_nvtx.h"

/* Where there is no ROCTX, they are not there. */
__attribute__((weak)) int roctxRangePushA(const char *name);
__attribute__((weak)) int roctxRangePop(void);
__attribute__((weak)) uint64_t roctxRangeStartA(const char *name);
__attribute__((weak)) void roctxRangeStop(uint64_t number);
__attribute__((weak)) void roctxMarkA(const char *name);

enum { NR_ROUNDS = 1000, DEPTH = 700, NR_STRAY = 3, NR_THREADS = 4, NR_CHILD = 50 };

static void expect(int found, int expected, const char *what)
{
	if (found == expected && errno == ERANGE)
		return;
	printf("wrong: %s: %d, not %d\n", what, found, expected);
	exit(1);
}

static struct t_attributes attributes(const char *name)
{
	struct t_attributes all;

	memset(&all, 0, sizeof(all));
	all.version = 3;
	all.size = sizeof(all);
	all.message_type = T_ASCII;
	all.message.ascii = name;
	return all;
}

static void nest(void)
{
	char name[32];

	for (int i = 0; i < DEPTH; i++) {
		snprintf(name, sizeof(name), "depth.%d", i % 10);
		expect(core.range_push(name), i, "level of a push");
	}
	for (int i = DEPTH - 1; i >= 0; i--)
		expect(core.range_pop(), i, "level of a pop");
	for (int i = 0; i < NR_STRAY; i++)
		expect(core.range_pop(), -1, "stray pop");
}

static void use_domains(void)
{
	void *one = core2.create("one"), *same = core2.create_wide(L"one"),
	     *two = core2.create("two");
	struct t_attributes step = attributes(NULL);

	step.message_type = T_REGISTERED;
	step.message.registered = core2.register_string(one, "registered");
	expect(one == same && one != two, 1, "handles of domains");
	core2.name_category(one, 7, "seven");
	for (int i = 0; i < NR_ROUNDS; i++) {
		expect(core2.range_push_ex(one, &step), 0, "push in a domain");
		step.category = i % 2 ? 7 : 8;
		step.payload_type = T_U64;
		step.payload.u64 = (uint64_t)i;
		expect(core2.range_push_ex(one, &step), 1, "second push");
		expect(core.range_push("plain"), 0, "push in no domain");
		expect(core.range_pop(), 0, "pop in no domain");
		expect(core2.range_pop(one), 1, "pop in a domain");
		expect(core2.range_pop(one), 0, "second pop");
		expect(core2.range_pop(two), -1, "pop in another domain");
		step.category = 0;
		step.payload_type = 0;
	}
}

static void use_payloads(void)
{
	static const int32_t types[] = {T_U64, T_I64, T_F64, T_U32, T_I32, T_F32};
	struct t_attributes value = attributes("payload");

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		value.payload_type = types[i];
		value.payload.u64 = 0xffffffffffffffff;
		if (types[i] == T_F64)
			value.payload.f64 = -1;
		else if (types[i] == T_F32)
			value.payload.f32 = -1;
		expect(core.range_push_ex(&value), 0, "payload");
		expect(core.range_pop(), 0, "payload's pop");
	}
	value.size = 8;
	expect(core.range_push_ex(&value), -1, "attributes that are too small");
	expect(core.range_push_wide(L"w\u00e4de"), 0, "wide name");
	expect(core.range_pop(), 0, "wide name's pop");
	expect(core.range_push(NULL), 0, "no name");
	expect(core.range_pop(), 0, "no name's pop");
}

static uint64_t handed_over;

static void *work(void *argument)
{
	errno = ERANGE;
	core.name_thread((uint32_t)gettid(), "named by NVTX");
	for (int i = 0; i < 100; i++) {
		core.range_push("thread");
		core.range_end(core.range_start("own"));
		core.range_pop();
	}
	core.range_end(__atomic_exchange_n(&handed_over, 0, __ATOMIC_RELAXED));
	expect(core.range_pop(), -1, "pop on a thread");
	return argument;
}

static void use_threads(void)
{
	pthread_t threads[NR_THREADS];

	handed_over = core.range_start("handed-over");
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL) != 0)
			exit(1);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void overlap(void)
{
	uint64_t a = core.range_start("a"), b = core.range_start_wide(L"b");

	core.range_end(a);
	core.range_end(b);
	core.range_end(0);
	core.mark("here");
	if (!roctxRangePushA)
		return;
	roctxRangePushA("roctx");
	a = roctxRangeStartA("roctx-range");
	roctxRangePop();
	roctxRangeStop(a);
	roctxMarkA("there");
}

static void use_child(void)
{
	const pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < NR_CHILD; i++) {
			core.range_push("of-child");
			core.range_pop();
		}
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void say(void)
{
	printf("region depth.3 %d\nregion one:registered %d\nregion plain %d\n", DEPTH / 10,
		2 * NR_ROUNDS, NR_ROUNDS);
	printf("region payload 6\nregion thread %d\nregion roctx 1\n", NR_THREADS * 100);
	printf("event parameter_string %d\nevent parameter_uint64 %d\n", NR_THREADS * 100 + 4,
		2 * (NR_THREADS * 100 + 4));
	printf("child region of-child %d\n", NR_CHILD);
}

int main(void)
{
	say();
	fflush(stdout);
	if (!t_nvtx_load())
		return 0;
	errno = ERANGE;
	nest();
	use_domains();
	use_payloads();
	overlap();
	use_threads();
	use_child();
	return 0;
}
