/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A little of HDF5, for debian_libraries.sh. */
#include <hdf5.h>
#include <stdio.h>

int main(void)
{
	const hsize_t sizes[] = {10, 20};
	int values[10][20], sum = 0;
	hid_t file = H5Fcreate("use.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	hid_t space = H5Screate_simple(2, sizes, NULL);
	hid_t set = H5Dcreate2(
		file, "values", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	for (int i = 0; i < 200; i++)
		values[i / 20][i % 20] = i;
	for (int i = 0; i < 3; i++)
		printf("%d\n",
			H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
	printf("%d\n", H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
	for (int i = 0; i < 200; i++)
		sum += values[i / 20][i % 20];
	printf("%d\n", sum);
	H5Dclose(set);
	H5Sclose(space);
	H5Fclose(file);
	fprintf(stderr, "count H5Fcreate 1\ncount H5Dwrite 3\ncount H5Dread 1\ncount H5Fclose 1\n");
	return 0;
}
