/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Folded stacks: "main;solve;MPI_Send 1234", exclusive nanoseconds by call path, for flame graphs.
 */
#include "config.h"

#include "analysis/report/profile_report.h"
#include "export/conversion/conversion.h"
#include "export/conversion/output_file.h"

measure_status_t measure_export_folded(struct measure_conversion *conversion, const char *path)
{
	const measure_status_t read = measure_conversion_read_profile(conversion);
	struct measure_output_file output;
	measure_status_t status = measure_output_file_open(&output, path);

	if (status != MEASURE_OK)
		return status;
	measure_profile_print_folded(&conversion->profile, output.file);
	status = measure_output_file_close(&output, true);
	return status == MEASURE_OK ? read : status;
}
