/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of NetCDF, for debian_libraries.sh. */
#include <netcdf.h>
#include <stdio.h>

int main(void)
{
	int file, dimension, variable, values[12], sum = 0;
	size_t length = 0;

	nc_create("use.nc", NC_CLOBBER, &file);
	nc_def_dim(file, "x", 12, &dimension);
	nc_def_var(file, "v", NC_INT, 1, &dimension, &variable);
	nc_put_att_text(file, variable, "units", 1, "m");
	nc_enddef(file);
	for (int i = 0; i < 12; i++)
		values[i] = i * i;
	nc_put_var_int(file, variable, values);
	nc_get_var_int(file, variable, values);
	nc_inq_dimlen(file, dimension, &length);
	for (int i = 0; i < 12; i++)
		sum += values[i];
	printf("%d %zu %s\n", sum, length, nc_strerror(nc_close(file)));
	fprintf(stderr, "count nc_create 1\ncount nc_put_var_int 1\ncount nc_get_var_int 1\ncount "
			"nc_close 1\n");
	return 0;
}
