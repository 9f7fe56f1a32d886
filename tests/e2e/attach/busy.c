/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that others attach to: threads that lock, read, allocate, sleep and compute, round by
 * round, and check what they get. It says how many rounds they have made, and, when it gets SIGUSR1,
 * all words in which the loader keeps addresses of functions, its timers and its mappings.
 *
 *	busy THREADS [SECONDS]	until SIGTERM, or for SECONDS */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_THREADS 256

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static uint64_t shared; /* under the mutex */
static _Atomic uint64_t rounds, wrong;
static _Atomic bool is_over;

static uint64_t mix(uint64_t value)
{
	for (int i = 0; i < 2000; i++)
		value = (value ^ (value >> 31)) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i;
	return value;
}

/* One thread's, with an answer that is known. */
static void work(uint64_t *value, int zero)
{
	const struct timespec nap = {0, 500000};
	char bytes[64];
	double half = 0.5, sum = 0;

	*value = mix(*value);
	for (int i = 0; i < 64; i++)
		sum += half * i;
	if (sum != 1008 || read(zero, bytes, sizeof(bytes)) != sizeof(bytes))
		atomic_fetch_add(&wrong, 1);
	for (size_t i = 0; i < sizeof(bytes); i++)
		if (bytes[i])
			atomic_fetch_add(&wrong, 1);
	char *memory = malloc(64 + *value % 4096);
	memset(memory, 1, 64);
	free(memory);
	pthread_mutex_lock(&mutex);
	shared++;
	if (shared % 8 == 0)
		pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	if (nanosleep(&nap, NULL) != 0)
		atomic_fetch_add(&wrong, 1);
}

static void *run(void *data)
{
	const uint64_t seed = (uint64_t)(uintptr_t)data;
	const int zero = open("/dev/zero", O_RDONLY);
	uint64_t value = seed, expected = seed, nr = 0;

	for (; !atomic_load(&is_over); nr++) {
		work(&value, zero);
		atomic_fetch_add(&rounds, 1);
	}
	for (uint64_t i = 0; i < nr; i++)
		expected = mix(expected);
	if (value != expected)
		atomic_fetch_add(&wrong, 1);
	close(zero);
	return NULL;
}

/* ------------------------------------------------------------------ what it is like --- */

static bool is_measures(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strncmp(slash ? slash + 1 : path, "libmeasure", 10) == 0;
}

static void print_table(FILE *file, const struct dl_phdr_info *info, const ElfW(Rela) *table,
	size_t nr, const ElfW(Sym) *symbols, const char *strings)
{
	for (size_t i = 0; i < nr; i++) {
		const uint32_t type = (uint32_t)ELF64_R_TYPE(table[i].r_info);
		const uint32_t symbol = (uint32_t)ELF64_R_SYM(table[i].r_info);

		if ((type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) && symbol)
			fprintf(file, "%s %s %lx\n", info->dlpi_name,
				strings + symbols[symbol].st_name,
				*(unsigned long *)(info->dlpi_addr + table[i].r_offset));
	}
}

static int print_slots(struct dl_phdr_info *info, size_t size, void *data)
{
	const ElfW(Dyn) *entry = NULL;
	const ElfW(Rela) *tables[2] = {NULL, NULL};
	const ElfW(Sym) *symbols = NULL;
	const char *strings = NULL;
	size_t nr[2] = {0, 0};

	(void)size;
	if (is_measures(info->dlpi_name) || strncmp(info->dlpi_name, "linux-vdso", 10) == 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	for (; entry && entry->d_tag != DT_NULL; entry++) {
		uintptr_t value = entry->d_un.d_ptr;

		value = value < info->dlpi_addr ? value + info->dlpi_addr : value;
		if (entry->d_tag == DT_STRTAB)
			strings = (const char *)value;
		else if (entry->d_tag == DT_SYMTAB)
			symbols = (const void *)value;
		else if (entry->d_tag == DT_RELA)
			tables[0] = (const void *)value;
		else if (entry->d_tag == DT_JMPREL)
			tables[1] = (const void *)value;
		else if (entry->d_tag == DT_RELASZ)
			nr[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
		else if (entry->d_tag == DT_PLTRELSZ)
			nr[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
	}
	for (int i = 0; i < 2; i++)
		print_table(data, info, tables[i], nr[i], symbols, strings);
	return 0;
}

static uint64_t count_lines(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t nr = 0;

	for (int c; file && (c = fgetc(file)) != EOF;)
		nr += c == '\n';
	if (file)
		fclose(file);
	return nr;
}

static void print_state(int number)
{
	char name[64];
	FILE *file;

	snprintf(name, sizeof(name), "state.%d", number);
	file = fopen(name, "we");
	dl_iterate_phdr(print_slots, file);
	fclose(file);
	/* "ID: N" lines begin entries of several lines each */
	printf("state %d mappings %lu timers %lu rounds %lu wrong %lu\n", number,
		count_lines("/proc/self/maps"), count_lines("/proc/self/timers"), rounds, wrong);
	fflush(stdout);
}

int main(int count, char **arguments)
{
	const int nr = count > 1 ? atoi(arguments[1]) : 64;
	pthread_t threads[MOST_THREADS];
	sigset_t set;
	siginfo_t info;
	int number = 0;
	const struct timespec time = {count > 2 ? atoi(arguments[2]) : 3600, 0};

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)(i + 1));
	printf("running\n");
	fflush(stdout);
	for (int got; (got = sigtimedwait(&set, &info, &time)) == SIGUSR1 || (got < 0 && errno == EINTR);)
		if (got == SIGUSR1)
			print_state(++number);
	atomic_store(&is_over, true);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	printf("rounds %lu shared %lu wrong %lu\n", rounds, shared, wrong);
	return shared == rounds && wrong == 0 ? 0 : 1;
}
