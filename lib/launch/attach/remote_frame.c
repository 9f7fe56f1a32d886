/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames on x86-64; see remote_frame.h. The function returns to code of the C library's, which sends
 * the thread a signal and then calls rt_sigreturn(); above that lies the context that the kernel
 * restores. Usually the signal stops the thread, and it is given its registers back as they were, so
 * that an interrupted system call is restarted as if nothing had been; the context is for the case
 * that this process is gone. */
#define _GNU_SOURCE
#include "config.h"

#include "remote_frame.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#if defined(__x86_64__)

bool measure_remote_is_possible(void)
{
	return true;
}

#define RED_ZONE   128
#define CALL_STACK (128 << 10) /* bytes that the function may need */

/* Results of interrupted system calls that the kernel restarts: with the same arguments, or, the
 * last one, by restart_syscall(). */
#define RESTART_SYSTEM   (-512)
#define RESTART_NO_INTR  (-513)
#define RESTART_NO_HAND  (-514)
#define RESTART_BLOCK    (-516)
#define SYSTEM_CALL_SIZE 2 /* bytes of the instruction */

#define WAY_BACK 5 /* words that functions return by */

#define FLAG_TRAP      UINT64_C(0x100)
#define FLAG_DIRECTION UINT64_C(0x400)

/* What the kernel reads in rt_sigreturn(). */
struct kernel_context {
	uint64_t flags;
	uint64_t link;
	uint64_t stack_pointer; /* sigaltstack() */
	uint32_t stack_flags, stack_padding;
	uint64_t stack_size;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip,
		eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t error, trap, old_mask, cr2, floats;
	uint64_t reserved[8];
	uint64_t signals;
};
#define CONTEXT_HAS_XSTATE UINT64_C(1)
#define CONTEXT_HAS_SS     UINT64_C(6) /* and means it */
#define STACK_UNCHANGED    0x7fu       /* flags that no stack has: the kernel keeps its own */

/* In the last bytes of the legacy area, and after the last byte. */
#define XSTATE_WORDS  464
#define XSTATE_MAGIC1 UINT32_C(0x46505853)
#define XSTATE_MAGIC2 UINT32_C(0x46505845)
#define XSTATE_BEGIN  512 /* without more than the legacy area there are no magic words */

struct xstate_words {
	uint32_t magic1, size_with_magic2;
	uint64_t features;
	uint32_t size;
};

static bool is_restarted(const struct user_regs_struct *registers)
{
	const long result = (long)registers->rax;

	return (long)registers->orig_rax >= 0 &&
	       (result == RESTART_SYSTEM || result == RESTART_NO_INTR ||
		       result == RESTART_NO_HAND || result == RESTART_BLOCK);
}

/* To stop a thread in one of these makes it fail, as if by a signal handler (signal(7)); nobody else
 * restarts it. */
static bool is_broken_off(const struct user_regs_struct *registers)
{
	static const long calls[] = {SYS_rt_sigtimedwait, SYS_epoll_wait, SYS_epoll_pwait,
		SYS_epoll_pwait2, SYS_io_getevents, SYS_msgrcv, SYS_msgsnd, SYS_semop,
		SYS_semtimedop};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if ((long)registers->orig_rax == calls[i])
			return (long)registers->rax == -EINTR;
	return false;
}

/* Where a handler is to run first, it fails all the same. */
static bool mend(struct user_regs_struct *registers, pid_t thread)
{
	if (!is_broken_off(registers))
		return true;
	registers->rax = (uint64_t)RESTART_NO_HAND;
	return ptrace(PTRACE_SETREGS, thread, 0, registers) == 0;
}

bool measure_remote_frame_read(struct measure_remote_frame *frame, pid_t thread)
{
	struct iovec floats = {frame->floats, sizeof(frame->floats)};

	if (ptrace(PTRACE_GETREGS, thread, 0, &frame->registers) != 0 ||
		!mend(&frame->registers, thread) ||
		ptrace(PTRACE_GETREGSET, thread, NT_X86_XSTATE, &floats) != 0 ||
		ptrace(PTRACE_GETSIGMASK, thread, sizeof(frame->signals), &frame->signals) != 0)
		return false;
	frame->nr_floats = floats.iov_len;
	return frame->nr_floats > XSTATE_BEGIN;
}

long measure_remote_frame_system_call(const struct measure_remote_frame *frame)
{
	return (long)frame->registers.orig_rax;
}

/* From the top: the data, the floats, the context, the return address. */
static void place(struct measure_remote_frame *frame, size_t size)
{
	uint64_t pointer = frame->registers.rsp - RED_ZONE;

	pointer = (pointer - size) & ~UINT64_C(63);
	frame->data = pointer;
	pointer = (pointer - frame->nr_floats - sizeof(uint32_t)) & ~UINT64_C(63);
	frame->context = (pointer - sizeof(struct kernel_context)) & ~UINT64_C(15);
}

/* The kernel lets the first thread's stack grow, but not for who writes from outside. */
bool measure_remote_frame_has_room(const struct measure_remote_frame *frame, pid_t pid, size_t size)
{
	const uint64_t pointer = frame->registers.rsp;
	uint64_t begin = 0, end = 0;
	char path[64], line[512], rights[8];
	bool is_first = false, is_found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	file = fopen(path, "re");
	while (file && !is_found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3)
			continue;
		is_found = pointer > begin && pointer <= end && strncmp(rights, "rw", 2) == 0;
		is_first = strstr(line, "[stack]") != NULL;
	}
	if (file)
		fclose(file);
	return is_found && pointer - begin >
				   RED_ZONE + size + 2 * MEASURE_REMOTE_FLOATS +
					   (is_first ? 0 : CALL_STACK);
}

static struct kernel_context context_of(const struct measure_remote_frame *frame)
{
	const struct user_regs_struct *now = &frame->registers;
	struct kernel_context context = {.flags = CONTEXT_HAS_XSTATE | CONTEXT_HAS_SS,
		.stack_flags = STACK_UNCHANGED,
		.r8 = now->r8,
		.r9 = now->r9,
		.r10 = now->r10,
		.r11 = now->r11,
		.r12 = now->r12,
		.r13 = now->r13,
		.r14 = now->r14,
		.r15 = now->r15,
		.rdi = now->rdi,
		.rsi = now->rsi,
		.rbp = now->rbp,
		.rbx = now->rbx,
		.rdx = now->rdx,
		.rax = now->rax,
		.rcx = now->rcx,
		.rsp = now->rsp,
		.rip = now->rip,
		.eflags = now->eflags,
		.cs = (uint16_t)now->cs,
		.ss = (uint16_t)now->ss,
		.signals = frame->signals};

	if (is_restarted(now)) {
		context.rip -= SYSTEM_CALL_SIZE;
		context.rax = now->orig_rax;
	}
	context.floats = frame->data; /* set by who writes it */
	return context;
}

static bool write_there(pid_t pid, uint64_t address, const void *bytes, size_t size)
{
	struct iovec here = {(void *)(uintptr_t)bytes, size}, there = {(void *)address, size};

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* The words by which the kernel knows how much there is. */
static void complete_floats(struct measure_remote_frame *frame, uint8_t *floats)
{
	struct xstate_words words = {.magic1 = XSTATE_MAGIC1,
		.size_with_magic2 = (uint32_t)(frame->nr_floats + sizeof(uint32_t)),
		.size = (uint32_t)frame->nr_floats};
	const uint32_t magic2 = XSTATE_MAGIC2;

	memcpy(floats, frame->floats, frame->nr_floats);
	memcpy(&words.features, floats + XSTATE_WORDS, sizeof(words.features));
	memcpy(floats + XSTATE_WORDS, &words, sizeof(words));
	memcpy(floats + frame->nr_floats, &magic2, sizeof(magic2));
}

bool measure_remote_frame_write(
	struct measure_remote_frame *frame, pid_t pid, const struct measure_remote_call *call)
{
	static uint8_t floats[MEASURE_REMOTE_FLOATS + sizeof(uint32_t)];
	const uint64_t way[WAY_BACK] = {frame->way.pop, MEASURE_REMOTE_SIGNAL, frame->way.pop + 1,
		frame->way.raise, frame->way.sigreturn};
	struct kernel_context context;

	place(frame, call->size);
	context = context_of(frame);
	context.floats =
		(frame->data - frame->nr_floats - sizeof(uint32_t)) & ~UINT64_C(63);
	complete_floats(frame, floats);
	return write_there(pid, frame->data, call->data, call->size) &&
	       write_there(pid, context.floats, floats, frame->nr_floats + sizeof(uint32_t)) &&
	       write_there(pid, frame->context, &context, sizeof(context)) &&
	       write_there(pid, frame->context - sizeof(way), way, sizeof(way));
}

bool measure_remote_frame_enter(const struct measure_remote_frame *frame, pid_t thread,
	const struct measure_remote_call *call)
{
	struct user_regs_struct registers = frame->registers;
	const uint64_t others = ~(UINT64_C(1) << (MEASURE_REMOTE_SIGNAL - 1));

	registers.rip = call->function;
	registers.rdi = frame->data;
	registers.rsi = call->second;
	registers.rsp = frame->context - WAY_BACK * sizeof(uint64_t);
	registers.rax = 0;
	registers.orig_rax = UINT64_MAX;
	registers.eflags &= ~(FLAG_TRAP | FLAG_DIRECTION);
	return ptrace(PTRACE_SETREGS, thread, 0, &registers) == 0 &&
	       ptrace(PTRACE_SETSIGMASK, thread, sizeof(others), &others) == 0;
}

bool measure_remote_frame_fetch(const struct measure_remote_frame *frame, pid_t pid,
	const struct measure_remote_call *call)
{
	struct iovec here = {call->data, call->size};
	struct iovec there = {(void *)frame->data, call->size};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)call->size;
}

/* Up to the last step the thread restores itself if nobody does. It is about to get a signal, which
 * it will not get: the kernel then restarts a system call that was interrupted. */
void measure_remote_frame_leave(const struct measure_remote_frame *frame, pid_t thread)
{
	struct user_regs_struct registers = frame->registers;
	const struct iovec floats = {(void *)(uintptr_t)frame->floats, frame->nr_floats};

	if (!is_restarted(&registers))
		registers.orig_rax = UINT64_MAX;
	ptrace(PTRACE_SETREGSET, thread, NT_X86_XSTATE, &floats);
	ptrace(PTRACE_SETSIGMASK, thread, sizeof(frame->signals), &frame->signals);
	ptrace(PTRACE_SETREGS, thread, 0, &registers);
}

#else

bool measure_remote_is_possible(void)
{
	return false;
}

bool measure_remote_frame_read(struct measure_remote_frame *frame, pid_t thread)
{
	(void)frame, (void)thread;
	return false;
}

bool measure_remote_frame_has_room(const struct measure_remote_frame *frame, pid_t pid, size_t size)
{
	(void)frame, (void)pid, (void)size;
	return false;
}

long measure_remote_frame_system_call(const struct measure_remote_frame *frame)
{
	(void)frame;
	return -1;
}

bool measure_remote_frame_write(
	struct measure_remote_frame *frame, pid_t pid, const struct measure_remote_call *call)
{
	(void)frame, (void)pid, (void)call;
	return false;
}

bool measure_remote_frame_enter(const struct measure_remote_frame *frame, pid_t thread,
	const struct measure_remote_call *call)
{
	(void)frame, (void)thread, (void)call;
	return false;
}

bool measure_remote_frame_fetch(const struct measure_remote_frame *frame, pid_t pid,
	const struct measure_remote_call *call)
{
	(void)frame, (void)pid, (void)call;
	return false;
}

void measure_remote_frame_leave(const struct measure_remote_frame *frame, pid_t thread)
{
	(void)frame, (void)thread;
}

#endif
