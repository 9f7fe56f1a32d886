/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A keeper, or the guard of a child, that dies by kill -9 at its N-th call of one of the functions
 * below, before the call is done: to be preloaded into `measure`.
 *	DIE_AT=N
 *	DIE_WHO=guard	of a child; else keepers
 *	DIE_MARK=FILE	made when it has died, and then no other keeper does */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic long nr_calls;

static int was_keeper; /* guards of children are forked from one */

static int is_meant(void)
{
	const char *who = getenv("DIE_WHO");
	char name[16] = "";

	if (prctl(PR_GET_NAME, name) != 0)
		return 0;
	was_keeper |= strcmp(name, "measure-keeper") == 0;
	if (who && strcmp(who, "guard") == 0)
		return was_keeper && strcmp(name, "measure-guard") == 0;
	return strcmp(name, "measure-keeper") == 0;
}

static void count_call(void)
{
	const char *at = getenv("DIE_AT"), *mark = getenv("DIE_MARK");

	if (!at || !mark || !is_meant() || atomic_fetch_add(&nr_calls, 1) + 1 != atol(at))
		return;
	if (mkdir(mark, 0777) == 0)
		kill(getpid(), SIGKILL);
}

/* The function behind ours. Looked up at the start: hooks make these calls, and dlsym() may lock. */
#define NEXT(type, name, parameters)                                                               \
	static type(*next_##name) parameters;                                                      \
	__attribute__((constructor)) static void find_##name(void)                                 \
	{                                                                                          \
		if (!next_##name)                                                                  \
			next_##name = (type(*) parameters)dlsym(RTLD_NEXT, #name);                 \
	}

/* CALL(returns, name, (parameters), (arguments)); others' constructors may be earlier. */
#define CALL(type, name, parameters, arguments)                                                    \
	NEXT(type, name, parameters)                                                               \
	type name parameters                                                                       \
	{                                                                                          \
		find_##name();                                                                     \
		count_call();                                                                      \
		return next_##name arguments;                                                      \
	}

CALL(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
CALL(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t offset),
	(fd, data, size, offset))
CALL(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
CALL(int, accept4, (int fd, struct sockaddr *address, socklen_t *size, int flags),
	(fd, address, size, flags))
CALL(int, shutdown, (int fd, int how), (fd, how))
CALL(int, renameat, (int from, const char *old, int to, const char *name), (from, old, to, name))
CALL(int, linkat, (int from, const char *old, int to, const char *name, int flags),
	(from, old, to, name, flags))
CALL(int, unlinkat, (int fd, const char *name, int flags), (fd, name, flags))
CALL(int, mkdirat, (int fd, const char *name, mode_t mode), (fd, name, mode))
CALL(int, ftruncate, (int fd, off_t size), (fd, size))
CALL(int, close, (int fd), (fd))

NEXT(int, openat, (int fd, const char *name, int flags, ...))
int openat(int fd, const char *name, int flags, ...)
{
	find_openat();
	count_call();
	return next_openat(fd, name, flags, 0666);
}
