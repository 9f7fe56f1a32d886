/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Enter and Leave for the event path, and the table of the other records. */
#ifndef MEASURE_OTF2_WRITER_INLINE_H
#define MEASURE_OTF2_WRITER_INLINE_H

#include <otf2/OTF2_EvtWriter.h>
#include <stddef.h>

#include "otf2/writer.h"

static inline OTF2_EvtWriter *measure_otf2(struct measure_otf2_writer *writer)
{
	return (OTF2_EvtWriter *)writer;
}

static inline bool measure_otf2_enter(struct measure_otf2_writer *writer, uint64_t time,
	uint32_t region)
{
	return OTF2_EvtWriter_Enter(measure_otf2(writer), NULL, time, region) == OTF2_SUCCESS;
}

static inline bool measure_otf2_leave(struct measure_otf2_writer *writer, uint64_t time,
	uint32_t region)
{
	return OTF2_EvtWriter_Leave(measure_otf2(writer), NULL, time, region) == OTF2_SUCCESS;
}

#endif
