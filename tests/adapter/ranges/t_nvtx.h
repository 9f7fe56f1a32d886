/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The half of NVTX that is in programs: pointers to functions in tables, which a library fills that
 * the environment names. Without one, they are NULL. */
#ifndef T_NVTX_H
#define T_NVTX_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

struct t_attributes {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	union {
		uint64_t u64;
		int64_t i64;
		double f64;
		uint32_t u32;
		int32_t i32;
		float f32;
	} payload;
	int32_t message_type;
	union {
		const char *ascii;
		const wchar_t *unicode;
		const void *registered;
	} message;
};

enum { T_ASCII = 1, T_UNICODE = 2, T_REGISTERED = 3 };
enum { T_U64 = 1, T_I64 = 2, T_F64 = 3, T_U32 = 4, T_I32 = 5, T_F32 = 6 };

typedef void (*t_function)(void);

static struct t_core {
	void (*mark_ex)(const struct t_attributes *);
	void (*mark)(const char *);
	void (*mark_wide)(const wchar_t *);
	uint64_t (*range_start_ex)(const struct t_attributes *);
	uint64_t (*range_start)(const char *);
	uint64_t (*range_start_wide)(const wchar_t *);
	void (*range_end)(uint64_t);
	int (*range_push_ex)(const struct t_attributes *);
	int (*range_push)(const char *);
	int (*range_push_wide)(const wchar_t *);
	int (*range_pop)(void);
	void (*name_category)(uint32_t, const char *);
	void (*name_category_wide)(uint32_t, const wchar_t *);
	void (*name_thread)(uint32_t, const char *);
	void (*name_thread_wide)(uint32_t, const wchar_t *);
} core;

static struct t_core2 {
	void (*mark_ex)(void *, const struct t_attributes *);
	uint64_t (*range_start_ex)(void *, const struct t_attributes *);
	void (*range_end)(void *, uint64_t);
	int (*range_push_ex)(void *, const struct t_attributes *);
	int (*range_pop)(void *);
	void *(*resource_create)(void *, void *);
	void (*resource_destroy)(void *);
	void (*name_category)(void *, uint32_t, const char *);
	void (*name_category_wide)(void *, uint32_t, const wchar_t *);
	const void *(*register_string)(void *, const char *);
	const void *(*register_string_wide)(void *, const wchar_t *);
	void *(*create)(const char *);
	void *(*create_wide)(const wchar_t *);
	void (*destroy)(void *);
	void (*initialize)(const void *);
} core2;

#define T_NR(functions) (sizeof(functions) / sizeof(t_function))

/* Numbers begin with 1. */
static t_function *core_places[T_NR(core) + 1], *core2_places[T_NR(core2) + 1];

static int t_find_functions(int module, t_function ***places, unsigned int *nr)
{
	if (module != 1 && module != 5)
		return 0;
	*places = module == 1 ? core_places : core2_places;
	*nr = module == 1 ? T_NR(core) + 1 : T_NR(core2) + 1;
	return 1;
}

static const struct {
	size_t size;
	int (*find_functions)(int, t_function ***, unsigned int *);
} t_callbacks = {sizeof(t_callbacks), t_find_functions};

static const void *t_find_table(uint32_t number)
{
	return number == 1 ? &t_callbacks : NULL;
}

/* 0: there is no tool. */
static int t_nvtx_load(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	int (*inject)(const void *(*)(uint32_t)) = NULL;

	for (size_t i = 0; i < T_NR(core); i++)
		core_places[i + 1] = (t_function *)&core + i;
	for (size_t i = 0; i < T_NR(core2); i++)
		core2_places[i + 1] = (t_function *)&core2 + i;
	if (library)
		*(void **)&inject = dlsym(library, "InitializeInjectionNvtx2");
	return inject && inject(t_find_table);
}

#endif
