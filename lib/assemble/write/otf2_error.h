/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OTF2's errors as ours. OTF2 prints every error on stderr unless told not to. */
#ifndef MEASURE_ASSEMBLE_WRITE_OTF2_ERROR_H
#define MEASURE_ASSEMBLE_WRITE_OTF2_ERROR_H

#include <otf2/otf2.h>

#include "status.h"

/* From now on OTF2 says nothing; who calls it looks at what it returns. Whole process. */
void measure_otf2_silence(void);

measure_status_t measure_otf2_status(OTF2_ErrorCode code);

#endif
