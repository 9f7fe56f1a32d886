/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What NVTX 2 and 3 hand to the library that they inject, and how that hooks in: the layout of
 * attributes, and the numbers of tables and functions in them. No header of NVTX is needed. */
#ifndef MEASURE_NVTX_INTERFACE_H
#define MEASURE_NVTX_INTERFACE_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

enum nvtx_message_type { NVTX_ASCII = 1, NVTX_UNICODE = 2, NVTX_REGISTERED = 3 };

enum nvtx_payload_type {
	NVTX_UNSIGNED_INT64 = 1,
	NVTX_INT64 = 2,
	NVTX_DOUBLE = 3,
	NVTX_UNSIGNED_INT32 = 4,
	NVTX_INT32 = 5,
	NVTX_FLOAT = 6
};

/* `size` is what the program knows of it; earlier versions of NVTX have no other layout. */
struct nvtx_attributes {
	uint16_t version;
	uint16_t size;
	uint32_t category; /* 0: none */
	int32_t color_type;
	uint32_t color;
	int32_t payload_type; /* enum nvtx_payload_type; others: none */
	int32_t reserved;
	union {
		uint64_t unsigned_int64;
		int64_t int64;
		double floating64;
		uint32_t unsigned_int32;
		int32_t int32;
		float floating32;
	} payload;
	int32_t message_type; /* enum nvtx_message_type; others: none */
	union {
		const char *ascii;
		const wchar_t *unicode;
		const void *registered; /* what registering it has returned */
	} message;
};

enum nvtx_module { NVTX_CORE = 1, NVTX_CORE2 = 5 };

typedef void (*nvtx_function)(void);

/* Export table 1. The functions of a module by number, each as the place of a pointer to it, which
 * is to be overwritten. 0: there is no such module. */
struct nvtx_callbacks {
	size_t size;
	int (*find_functions)(int module, nvtx_function ***places, unsigned int *nr);
};
#define NVTX_CALLBACKS 1

typedef const void *(*nvtx_find_table_fn)(uint32_t number);

/* Called once by each program or library with NVTX in it. 0: it cannot be used. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx_find_table_fn find_table);

#endif
