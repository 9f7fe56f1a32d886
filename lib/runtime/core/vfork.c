/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vfork(): its child runs in our memory and as our thread, while that waits. What it does must not
 * come into our location, so the thread has none until it is back. The function returns twice, to
 * the same place on the stack, which the child may write over: the return address is in a
 * register while the child runs. So is the location, for which there is no other place: the kernel
 * gives both processes the registers as they were. On other processors it is fork(), as POSIX
 * allows: the parent does not wait, and does not see what the child writes. */
#include "config.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "runtime/event/nested_location.h"
#include "runtime/gate/gate.h"
#include "runtime/event/location.h"

/* AddressSanitizer's own vfork() would tell it that what the child has marked of the stack is
 * nothing to the parent. */
#ifdef __SANITIZE_ADDRESS__
void __asan_handle_vfork(void *stack_pointer);
#define FORGET_MARKS(stack_pointer) __asan_handle_vfork(stack_pointer)
#else
#define FORGET_MARKS(stack_pointer) ((void)(stack_pointer))
#endif

/* In the parent, with the kernel's result. */
__attribute__((used)) static pid_t return_to_parent(long result, struct measure_location *location)
{
	FORGET_MARKS(__builtin_frame_address(0));
	measure_location_attach(location);
	if (result >= 0 && measure_gate_is_open())
		measure_count(MEASURE_COUNT_FORKS);
	if (result >= 0)
		return (pid_t)result;
	errno = (int)-result;
	return -1;
}

__attribute__((used)) static struct measure_location *leave_to_child(void)
{
	return measure_location_detach();
}

/* clang-format off */
#define TEXT2(text) #text
#define TEXT(text)  TEXT2(text)

#if defined(__x86_64__)
__asm__(".text\n"
	".globl vfork\n"
	".type vfork, @function\n"
	"vfork:\n"
	"	endbr64\n"
	"	sub $8, %rsp\n"
	"	call leave_to_child\n"
	"	add $8, %rsp\n"
	"	mov %rax, %rsi\n"
	"	pop %rdi\n"
	"	mov $" TEXT(__NR_vfork) ", %eax\n"
	"	syscall\n"
	"	push %rdi\n"
	"	test %eax, %eax\n"
	"	jz 1f\n"
	"	mov %rax, %rdi\n"
	"	jmp return_to_parent\n"
	"1:	ret\n"
	".size vfork, . - vfork\n");
#elif defined(__aarch64__)
/* clone(CLONE_VM | CLONE_VFORK | SIGCHLD, no stack of its own) */
__asm__(".text\n"
	".globl vfork\n"
	".type vfork, %function\n"
	"vfork:\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	bl leave_to_child\n"
	"	ldp x29, x30, [sp], #16\n"
	"	mov x9, x0\n"
	"	mov x0, #0x4111\n"
	"	mov x1, #0\n"
	"	mov x8, #" TEXT(__NR_clone) "\n"
	"	svc #0\n"
	"	cbz x0, 1f\n"
	"	mov x1, x9\n"
	"	b return_to_parent\n"
	"1:	ret\n"
	".size vfork, . - vfork\n");
#else
__attribute__((visibility("default"))) pid_t vfork(void)
{
	return fork();
}
#endif
