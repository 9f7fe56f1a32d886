/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed functions that are like no other: OTHER in posixio_calls.def. */
#include "config.h"

#include <limits.h>
#include <otf2/OTF2_Events.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "async_io.h"
#include "descriptors.h"
#include "posixio_files.h"
#include "posixio_wrap.h"

/* --------------------------------------------------------------------- mapping --- */

/* An allocator may call it at any moment, also of this adapter's start. */
static void *real_map(void *(*real)(void *, size_t, int, int, int, off_t), void *address,
	size_t size, int protection, int flags, int fd, off_t offset)
{
	if (!real)
		return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
	return real(address, size, protection, flags, fd, offset);
}

#define MAP(name)                                                                                  \
	EXPORT(void *, name,                                                                       \
		(void *address, size_t size, int protection, int flags, int fd, off_t offset))     \
	{                                                                                          \
		const bool is_recorded = fd >= 0 && !(flags & MAP_ANONYMOUS) &&                    \
					 measure_plain_enter(CALL_##name, CALLER);                 \
		void *result = real_map(                                                           \
			atomic_load_explicit(&measure_posixio_real.name, memory_order_relaxed),    \
			address, size, protection, flags, fd, offset);                             \
                                                                                                   \
		if (is_recorded)                                                                   \
			measure_plain_leave(CALL_##name);                                          \
		return result;                                                                     \
	}
MAP(mmap)
MAP(mmap64)

/* ------------------------------------------------------------------ descriptors --- */

CLOSING(int, close, (int fd), (fd), fd, measure_close_leave(CALL_close, &closing))

/* The C library closes the descriptor by itself, and it may be one that the program has opened. */
CLOSING(int, closedir, (DIR * directory), (directory), directory ? dirfd(directory) : -1,
	measure_close_leave(CALL_closedir, &closing))

RECORDED(int, close_range, (unsigned int first, unsigned int last, int flags), (first, last, flags),
	measure_close_range_leave(
		CALL_close_range, first, last, result == 0 && !(flags & CLOSE_RANGE_CLOEXEC)))

EXPORT(void, closefrom, (int first))
{
	const bool is_recorded = measure_plain_enter(CALL_closefrom, CALLER);

	REAL(closefrom)(first);
	if (is_recorded)
		measure_close_range_leave(
			CALL_closefrom, first > 0 ? (unsigned int)first : 0, UINT_MAX, true);
}

RECORDED(int, pipe, (int *fds), (fds), measure_pipe_leave(CALL_pipe, fds, 0, result))
RECORDED(int, pipe2, (int *fds, int flags), (fds, flags),
	measure_pipe_leave(CALL_pipe2, fds, flags, result))

RECORDED(int, dup, (int fd), (fd), measure_duplicate_leave(CALL_dup, fd, result))
RECORDED(int, dup2, (int fd, int to), (fd, to), measure_duplicate_leave(CALL_dup2, fd, result))
RECORDED(int, dup3, (int fd, int to, int flags), (fd, to, flags),
	measure_duplicate_leave(CALL_dup3, fd, result))

/* Those that change nothing and wait for nobody are not recorded: programs ask for flags often. */
static bool is_told(int command)
{
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_SETFL ||
	       command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
	       command == F_OFD_SETLKW;
}

static void control_leave(
	enum measure_posixio_call call, int fd, int command, int flags, int result)
{
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		measure_duplicate_leave(call, fd, result);
	else if (command == F_SETFL)
		measure_status_leave(call, fd, flags, result);
	else
		measure_plain_leave(call);
}

/* There is at most one more argument, which takes no more than a pointer. */
#define CONTROL(name)                                                                              \
	EXPORT(int, name, (int fd, int command, ...))                                              \
	{                                                                                          \
		const bool is_recorded =                                                           \
			is_told(command) && measure_plain_enter(CALL_##name, CALLER);              \
		void *argument;                                                                    \
		va_list list;                                                                      \
		int result;                                                                        \
                                                                                                   \
		va_start(list, command);                                                           \
		argument = va_arg(list, void *);                                                   \
		va_end(list);                                                                      \
		result = REAL(name)(fd, command, argument);                                        \
		if (is_recorded)                                                                   \
			control_leave(CALL_##name, fd, command, (int)(intptr_t)argument, result);  \
		return result;                                                                     \
	}
CONTROL(fcntl)
CONTROL(fcntl64)

EXPORT(void, sync, (void))
{
	const bool is_recorded = measure_plain_enter(CALL_sync, CALLER);

	REAL(sync)();
	if (is_recorded)
		measure_plain_leave(CALL_sync);
}

/* --------------------------------------------------------------------- streams --- */

RECORDED(FILE *, fdopen, (int fd, const char *mode), (fd, mode),
	measure_attach_leave(CALL_fdopen, result, mode))

EXPORT(void, rewind, (FILE * stream))
{
	const bool is_recorded = measure_plain_enter(CALL_rewind, CALLER);

	REAL(rewind)(stream);
	if (is_recorded)
		measure_seek_stream_leave(CALL_rewind, stream, 0, SEEK_SET, 0);
}

/* ---------------------------------------------------------------- asynchronous --- */

#define START(name, mode)                                                                          \
	EXPORT(int, name, (struct aiocb * block))                                                  \
	{                                                                                          \
		return measure_aio_start(                                                          \
			CALL_##name, CALLER, block, OTF2_IO_OPERATION_MODE_##mode, REAL(name));    \
	}
START(aio_read, READ)
START(aio_read64, READ)
START(aio_write, WRITE)
START(aio_write64, WRITE)

#define BRING(name)                                                                                \
	EXPORT(int, name, (int operation, struct aiocb *block))                                    \
	{                                                                                          \
		return measure_aio_flush(CALL_##name, CALLER, operation, block, REAL(name));       \
	}
BRING(aio_fsync)
BRING(aio_fsync64)

#define LIST(name)                                                                                 \
	EXPORT(int, name, (int mode, struct aiocb *const *blocks, int nr, struct sigevent *event)) \
	{                                                                                          \
		return measure_aio_list(CALL_##name, CALLER, mode, blocks, nr, event, REAL(name)); \
	}
LIST(lio_listio)
LIST(lio_listio64)

#define ASK(name)                                                                                  \
	EXPORT(int, name, (const struct aiocb *block))                                             \
	{                                                                                          \
		return measure_aio_ask(CALL_##name, CALLER, block, REAL(name));                    \
	}
ASK(aio_error)
ASK(aio_error64)

#define END(name)                                                                                  \
	EXPORT(ssize_t, name, (struct aiocb * block))                                              \
	{                                                                                          \
		return measure_aio_end(CALL_##name, CALLER, block, REAL(name));                    \
	}
END(aio_return)
END(aio_return64)
