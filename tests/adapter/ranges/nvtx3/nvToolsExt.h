/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands in for the header of NVTX where that is not installed: what doc/examples/ranges.c calls of
 * it. The first call looks for a tool. */
#ifndef T_NV_TOOLS_EXT_H
#define T_NV_TOOLS_EXT_H

#include <pthread.h>

#include "../t_nvtx.h"

typedef uint64_t nvtxRangeId_t;
typedef void *nvtxDomainHandle_t;
typedef struct {
	uint16_t version, size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType, reserved0;
	union {
		uint64_t ullValue;
		double dValue;
	} payload;
	int32_t messageType;
	union {
		const char *ascii;
	} message;
} nvtxEventAttributes_t;

enum { NVTX_VERSION = 3, NVTX_EVENT_ATTRIB_STRUCT_SIZE = sizeof(nvtxEventAttributes_t) };
enum { NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = T_U64, NVTX_MESSAGE_TYPE_ASCII = T_ASCII };

static void t_load_once(void)
{
	t_nvtx_load();
}

/* CALL(result, name, parameters, function, arguments, otherwise) */
#define CALL(result, name, parameters, function, arguments, otherwise)                             \
	static inline result name parameters                                                       \
	{                                                                                          \
		static pthread_once_t once = PTHREAD_ONCE_INIT;                                    \
                                                                                                   \
		pthread_once(&once, t_load_once);                                                  \
		return function ? (result)function arguments : otherwise;                          \
	}
CALL(int, nvtxRangePushA, (const char *name), core.range_push, (name), -2)
CALL(int, nvtxRangePop, (void), core.range_pop, (), -2)
CALL(nvtxRangeId_t, nvtxRangeStartA, (const char *name), core.range_start, (name), 0)
CALL(void, nvtxRangeEnd, (nvtxRangeId_t range), core.range_end, (range), (void)0)
CALL(void, nvtxMarkA, (const char *name), core.mark, (name), (void)0)
CALL(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *name), core2.create, (name), NULL)
CALL(void, nvtxDomainNameCategoryA,
	(nvtxDomainHandle_t domain, uint32_t category, const char *name), core2.name_category,
	(domain, category, name), (void)0)
CALL(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event),
	core2.range_push_ex, (domain, (const void *)event), -2)
CALL(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), core2.range_pop, (domain), -2)
#undef CALL

#endif
