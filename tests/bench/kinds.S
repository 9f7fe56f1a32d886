/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hooks of -pg -mfentry on x86-64, for kinds.c: one that does nothing, or, with RETURNS, the least that lets
 * a hook see the exit as well: it keeps the return address and puts one of its own in the place. (A real one
 * has a stack for each thread, and has to tell unwinders.) */
	.text
	.globl	__fentry__
#ifdef RETURNS
__fentry__:
	push	%rax
	push	%rdx
	mov	top(%rip), %rax
	mov	24(%rsp), %rdx
	mov	%rdx, (%rax)
	add	$8, %rax
	mov	%rax, top(%rip)
	lea	returned(%rip), %rdx
	mov	%rdx, 24(%rsp)
	pop	%rdx
	pop	%rax
	ret
returned:
	sub	$8, %rsp
	push	%rax
	mov	top(%rip), %rax
	sub	$8, %rax
	mov	%rax, top(%rip)
	mov	(%rax), %rax
	mov	%rax, 8(%rsp)
	pop	%rax
	ret
	.data
top:	.quad	stack
	.bss
stack:	.skip	8192
#else
__fentry__:
	ret
#endif
	.section .note.GNU-stack, "", @progbits
