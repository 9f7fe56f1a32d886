/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 4
 *
 * What communicators are called, of the program's will, also the predefined ones: the last name
 * holds. Attributes are copied and error handlers called only where the program's own calls say
 * so. */
#include "t_mpi.h"

static int nr_copies, nr_errors;

static int copy(MPI_Comm comm, int keyval, void *state, void *from, void *to, int *flag)
{
	(void)comm, (void)keyval, (void)state;
	*(void **)to = from;
	*flag = 1;
	nr_copies++;
	return MPI_SUCCESS;
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
	(void)comm, (void)code;
	nr_errors++;
}

static void name_them(void)
{
	char name[MPI_MAX_OBJECT_NAME];
	MPI_Comm dup, half;
	int length;

	MPI_Comm_set_name(MPI_COMM_WORLD, "everybody");
	MPI_Comm_set_name(MPI_COMM_SELF, "myself");
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_set_name(dup, "first name");
	MPI_Comm_set_name(dup, "last name");
	MPI_Comm_get_name(dup, name, &length);
	T_CHECK(strcmp(name, "last name") == 0);
	MPI_Comm_split(MPI_COMM_WORLD, t_rank / 2, 0, &half);
	if (t_rank == 1) /* one member is enough */
		MPI_Comm_set_name(half, "lower half");
	MPI_Barrier(half);
	MPI_Comm_free(&half);
	MPI_Comm_free(&dup);
}

static void keep_attributes(void)
{
	static int value = 5;
	MPI_Errhandler handler;
	MPI_Request request;
	MPI_Comm dup, idup;
	int keyval, is_there;
	int *found;

	MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
	MPI_Comm_create_errhandler(handle_error, &handler);
	MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	T_CHECK(nr_copies == 1);
	MPI_Comm_get_attr(dup, keyval, &found, &is_there);
	T_CHECK(is_there && found == &value);
	MPI_Comm_idup(dup, &idup, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	T_CHECK(nr_copies == 2);
	MPI_Barrier(idup);
	MPI_Comm_free(&idup);
	MPI_Comm_free(&dup);
	T_CHECK(nr_errors == 0);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
	MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char **argv)
{
	MPI_Comm kept;

	t_init(&argc, &argv);
	name_them();
	keep_attributes();
	MPI_Comm_dup(MPI_COMM_SELF, &kept); /* never freed */
	MPI_Finalize();
	printf("done\n");
	return 0;
}
