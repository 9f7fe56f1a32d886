/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interposed functions, expanded from posixio_calls.def, and the adapter itself. They have
 * names of their own and bear those of the C library for the linker only: its headers make macros
 * and other functions of some of these. */
#include "config.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <string.h>
#include <wchar.h>

#include "adapter.h"
#include "async_io.h"
#include "descriptors.h"
#include "posixio_files.h"
#include "operations.h"
#include "posixio_wrap.h"
#include "uring.h"

/* ----------------------------------------------------- what rows of the table say --- */

#define UNKNOWN         MEASURE_BYTES_UNKNOWN
#define BYTES(result)   ((result) > 0 ? (uint64_t)(result) : 0)
#define ALL(is_done)    ((is_done) ? operation.requested : 0)
#define SOME(is_done)   ((is_done) ? UNKNOWN : 0)
#define SCANNED(result) SOME((result) >= 0)
#define LINE(size)      ((size) > 1 ? (uint64_t)(size)-1 : 0)
#define TEXT(text)      ((text) ? strlen(text) : 0)
#define TOTAL(list, nr) measure_vector_bytes(list, nr)
#define NEW_FILE        (O_RDWR | O_CREAT | O_EXCL)

/* ------------------------------------------------------------------- the wrappers --- */

#define OPERATION_ON(type, name, mode, parameters, arguments, handle, requested, offset, moved)    \
	EXPORT(type, name, parameters)                                                             \
	{                                                                                          \
		struct measure_operation operation;                                                \
		type result;                                                                       \
                                                                                                   \
		if (!measure_call_is_on(CALL_##name, CALLER))                                      \
			return REAL(name) arguments;                                               \
		operation.recording = measure_recording_number();                                  \
		measure_operation_begin(&operation, CALL_##name, handle,                           \
			OTF2_IO_OPERATION_MODE_##mode, requested, offset);                         \
		result = REAL(name) arguments;                                                     \
		measure_operation_end(&operation, CALL_##name, moved);                             \
		return result;                                                                     \
	}
#define OPERATION(type, name, group, mode, parameters, arguments, on, requested, moved)            \
	OPERATION_ON(type, name, mode, parameters, arguments, measure_handle_of_##on, requested,   \
		MEASURE_NO_OFFSET, moved)
#define OPERATION_AT(type, name, mode, parameters, arguments, fd, offset, requested)               \
	OPERATION_ON(type, name, mode, parameters, arguments, measure_handle_of_descriptor(fd),    \
		requested, offset, BYTES(result))
#define BETWEEN(name, parameters, arguments, to, from, requested)                                  \
	EXPORT(ssize_t, name, parameters)                                                          \
	{                                                                                          \
		struct measure_operation operations[2];                                            \
		ssize_t result;                                                                    \
                                                                                                   \
		if (!measure_call_is_on(CALL_##name, CALLER))                                      \
			return REAL(name) arguments;                                               \
		operations[0].recording = operations[1].recording = measure_recording_number();    \
		measure_transfer_begin(operations, CALL_##name, measure_handle_of_descriptor(to),  \
			measure_handle_of_descriptor(from), requested);                            \
		result = REAL(name) arguments;                                                     \
		measure_transfer_end(operations, CALL_##name, BYTES(result));                      \
		return result;                                                                     \
	}
/* Of a format nobody knows before how much it will be. */
#define FORMAT(name, by, group, mode, parameters, last, arguments, on, moved)                      \
	EXPORT(int, name, parameters)                                                              \
	{                                                                                          \
		const bool is_on = measure_call_is_on(CALL_##name, CALLER);                        \
		struct measure_operation operation;                                                \
		va_list list;                                                                      \
		int result;                                                                        \
                                                                                                   \
		operation.recording = measure_recording_number();                                  \
		if (is_on)                                                                         \
			measure_operation_begin(&operation, CALL_##name, measure_handle_of_##on,   \
				OTF2_IO_OPERATION_MODE_##mode, UNKNOWN, MEASURE_NO_OFFSET);        \
		va_start(list, last);                                                              \
		result = REAL(by) arguments;                                                       \
		va_end(list);                                                                      \
		if (is_on)                                                                         \
			measure_operation_end(&operation, CALL_##name, moved);                     \
		return result;                                                                     \
	}
#define OPEN(name, parameters, arguments, path, flags)                                             \
	RECORDED(int, name, parameters, arguments,                                                 \
		measure_open_leave(CALL_##name, result, path, flags))
#define OPEN_MODE(name, parameters, arguments, path)                                               \
	EXPORT(int, name, parameters)                                                              \
	{                                                                                          \
		const bool is_recorded = measure_plain_enter(CALL_##name, CALLER);                 \
		mode_t mode = 0;                                                                   \
		va_list list;                                                                      \
		int result;                                                                        \
                                                                                                   \
		va_start(list, flags);                                                             \
		if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)                           \
			mode = va_arg(list, mode_t);                                               \
		va_end(list);                                                                      \
		result = REAL(name) arguments;                                                     \
		if (is_recorded)                                                                   \
			measure_open_leave(CALL_##name, result, path, flags);                      \
		return result;                                                                     \
	}
#define OPEN_STREAM(name, parameters, arguments, path, mode)                                       \
	RECORDED(FILE *, name, parameters, arguments,                                              \
		measure_open_stream_leave(CALL_##name, result, path, mode))
#define CLOSE_STREAM(name)                                                                         \
	CLOSING(int, name, (FILE * stream), (stream), measure_stream_descriptor(stream),           \
		measure_close_leave(CALL_##name, &closing))
#define REOPEN_STREAM(name)                                                                        \
	CLOSING(FILE *, name, (const char *path, const char *mode, FILE *stream),                  \
		(path, mode, stream), measure_stream_descriptor(stream),                           \
		measure_reopen_leave(CALL_##name, &closing, result, path, mode))
#define SEEK(name)                                                                                 \
	RECORDED(off_t, name, (int fd, off_t offset, int whence), (fd, offset, whence),            \
		measure_seek_leave(CALL_##name, fd, offset, whence, result))
#define SEEK_STREAM(name, parameters, arguments, offset, whence)                                   \
	RECORDED(int, name, parameters, arguments,                                                 \
		measure_seek_stream_leave(CALL_##name, stream, offset, whence, result))
#define DELETE(name, paradigm, parameters, arguments, directory, path, is_file)                    \
	RECORDED(int, name, parameters, arguments,                                                 \
		measure_delete_leave(CALL_##name, MEASURE_IO_##paradigm, directory, path,          \
			result == 0 && (is_file)))
#define NOTHING ((void)0)
#define URING(name, parameters, arguments, before, after)                                          \
	EXPORT(int, name, parameters)                                                              \
	{                                                                                          \
		const bool is_recorded = measure_plain_enter(CALL_##name, CALLER);                 \
		int(*real) parameters =                                                            \
			atomic_load_explicit(&measure_posixio_real.name, memory_order_relaxed);    \
		int result;                                                                        \
                                                                                                   \
		if (!real) {                                                                       \
			real = (int(*) parameters)measure_posixio_find_uring(#name);               \
			atomic_store_explicit(                                                     \
				&measure_posixio_real.name, real, memory_order_relaxed);           \
		}                                                                                  \
		if (is_recorded && real)                                                           \
			before;                                                                    \
		result = real ? real arguments : -ENOSYS;                                          \
		if (is_recorded && real)                                                           \
			after;                                                                     \
		if (is_recorded)                                                                   \
			measure_plain_leave(CALL_##name);                                          \
		return result;                                                                     \
	}
#define PLAIN(type, name, group, parameters, arguments)                                            \
	RECORDED(type, name, parameters, arguments, measure_plain_leave(CALL_##name))
#define OTHER(type, name, group, parameters)
#define ROW(type, name, group, role, parameters)
#include "posixio_calls.def"

/* ----------------------------------------------------------------- the adapter --- */

static void posixio_started(void)
{
	const char *version = gnu_get_libc_version();

	measure_io_paradigm_define(MEASURE_IO_POSIX, version);
	measure_io_paradigm_define(MEASURE_IO_ISOC, version);
	measure_operations_start();
	measure_descriptors_start();
	measure_calls_choose(measure_option_text("io_groups"));
}

/* Descriptors that are open now were so before, as at the first start. */
static void posixio_attached(void)
{
	measure_async_forget();
	measure_uring_forget();
	measure_handles_forget();
	measure_descriptors_forget();
	measure_descriptors_start();
	measure_calls_choose(measure_option_text("io_groups"));
}

static const struct measure_adapter measure_posixio_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "posixio",
	.started = posixio_started,
	.thread_ends = measure_operations_end_thread,
	.detached = measure_calls_choose_none,
	.attached = posixio_attached,
};

__attribute__((constructor)) static void posixio_init(void)
{
	measure_posixio_resolve();
	measure_adapter_register(&measure_posixio_adapter);
}
