/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where stubs go: records around a function whose arguments nobody knows. All registers that may
 * hold arguments, and the words on the stack, are passed on as they are; so are all that may hold a
 * result. The frame is an ordinary one, so that exceptions, longjmp() and debuggers go through.
 *
 *	save; before(); copy the stack; [restore; enter(arguments); copy]; restore; the function;
 *	save; [leave(result) or after()]; restore */
#include "wrap_stub.h"

#if defined(__x86_64__)
/* Below %rbp: */
#define ROW     -72
#define REAL    -80
#define STATE   -88 /* what is to be done after the call */
#define WORDS   -96 /* on the stack, to be copied */
#define VECTORS -608
#define FRAME   608

/* %xmm, %ymm or %zmm, whichever this processor has: an argument may fill it. */
.macro vector_move is_load, number, place
	cmpl $1, measure_wrap_vectors(%rip)
	ja 3f
	je 2f
	.if \is_load
	movups \place(%rbp), %xmm\number
	jmp 4f
2:	vmovups \place(%rbp), %ymm\number
	jmp 4f
3:	vmovups \place(%rbp), %zmm\number
	.else
	movups %xmm\number, \place(%rbp)
	jmp 4f
2:	vmovups %ymm\number, \place(%rbp)
	jmp 4f
3:	vmovups %zmm\number, \place(%rbp)
	.endif
4:
.endm

.macro vectors_move is_load
	vector_move \is_load, 0, VECTORS
	vector_move \is_load, 1, VECTORS + 64
	vector_move \is_load, 2, VECTORS + 128
	vector_move \is_load, 3, VECTORS + 192
	vector_move \is_load, 4, VECTORS + 256
	vector_move \is_load, 5, VECTORS + 320
	vector_move \is_load, 6, VECTORS + 384
	vector_move \is_load, 7, VECTORS + 448
.endm

.macro arguments_restore
	vectors_move 1
	mov -8(%rbp), %rdi
	mov -16(%rbp), %rsi
	mov -24(%rbp), %rdx
	mov -32(%rbp), %rcx
	mov -40(%rbp), %r8
	mov -48(%rbp), %r9
	mov -56(%rbp), %rax
	mov -64(%rbp), %r10
.endm

.macro stack_copy
	mov WORDS(%rbp), %ecx
	lea 1(%rcx), %rdx
	and $-2, %rdx
	shl $3, %rdx
	lea -FRAME(%rbp), %rsp
	sub %rdx, %rsp
	lea 16(%rbp), %rsi
	mov %rsp, %rdi
	rep movsq
.endm

	.text
	.globl measure_wrap_trampoline
	.type measure_wrap_trampoline, @function
	.balign 16
measure_wrap_trampoline:
	.cfi_startproc
	endbr64
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub $FRAME, %rsp
	mov %rdi, -8(%rbp)
	mov %rsi, -16(%rbp)
	mov %rdx, -24(%rbp)
	mov %rcx, -32(%rbp)
	mov %r8, -40(%rbp)
	mov %r9, -48(%rbp)
	mov %rax, -56(%rbp)
	mov %r10, -64(%rbp)
	mov %r11, ROW(%rbp)
	vectors_move 0

	mov %r11, %rdi
	lea 16(%rbp), %rsi
	mov 8(%rbp), %rdx
	lea REAL(%rbp), %rcx
	call measure_wrap_stub_before
	mov %eax, WORDS(%rbp)
	shr $32, %rax
	mov %rax, STATE(%rbp)
	stack_copy

	cmpl $MEASURE_WRAP_ASKS, STATE(%rbp)
	jne .Lcall
	arguments_restore
	mov ROW(%rbp), %r11
	call *MEASURE_WRAP_OFFSET_ENTER(%r11)
	movzbl %al, %eax
	shl $1, %eax /* ASKS, or nothing */
	mov %rax, STATE(%rbp)
	stack_copy

.Lcall:
	arguments_restore
	call *REAL(%rbp)

	cmpl $0, STATE(%rbp)
	je .Ldone
	mov %rax, -8(%rbp)
	mov %rdx, -16(%rbp)
	vector_move 0, 0, VECTORS
	vector_move 0, 1, VECTORS + 64
	cmpl $MEASURE_WRAP_ASKS, STATE(%rbp)
	mov ROW(%rbp), %rdx
	je .Lleave
	mov %rdx, %rdi
	call measure_wrap_stub_after
	jmp .Lresult
.Lleave:
	mov %rax, %rdi
	call *MEASURE_WRAP_OFFSET_LEAVE(%rdx)
.Lresult:
	mov -8(%rbp), %rax
	mov -16(%rbp), %rdx
	vector_move 1, 0, VECTORS
	vector_move 1, 1, VECTORS + 64
.Ldone:
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size measure_wrap_trampoline, .-measure_wrap_trampoline

	.globl measure_wrap_nothing
	.type measure_wrap_nothing, @function
	.balign 16
measure_wrap_nothing:
	.cfi_startproc
	endbr64
	xor %eax, %eax
	xor %edx, %edx
	pxor %xmm0, %xmm0
	pxor %xmm1, %xmm1
	ret
	.cfi_endproc
	.size measure_wrap_nothing, .-measure_wrap_nothing

#elif defined(__aarch64__)
/* Above %sp, as it is without the copied words: */
#define FRAME   256
#define VECTORS 96
#define ROW     72
#define REAL    80
#define STATE   88
#define WORDS   240

.macro arguments_restore
	sub x17, x29, #FRAME
	ldp q0, q1, [x17, #VECTORS]
	ldp q2, q3, [x17, #VECTORS + 32]
	ldp q4, q5, [x17, #VECTORS + 64]
	ldp q6, q7, [x17, #VECTORS + 96]
	ldp x0, x1, [x17]
	ldp x2, x3, [x17, #16]
	ldp x4, x5, [x17, #32]
	ldp x6, x7, [x17, #48]
	ldr x8, [x17, #64]
.endm

.macro stack_copy
	sub x17, x29, #FRAME
	ldr w10, [x17, #WORDS]
	add x11, x10, #1
	and x11, x11, #-2
	sub x11, x17, x11, lsl #3
	mov sp, x11
	add x12, x29, #16
8:	cbz x10, 9f
	ldr x13, [x12], #8
	str x13, [x11], #8
	sub x10, x10, #1
	b 8b
9:
.endm

	.text
	.globl measure_wrap_trampoline
	.type measure_wrap_trampoline, %function
	.balign 16
measure_wrap_trampoline:
	.cfi_startproc
	hint #36 /* bti j, for the br of the stub */
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov x29, sp
	.cfi_def_cfa_register 29
	sub sp, sp, #FRAME
	stp x0, x1, [sp]
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	stp x8, x16, [sp, #64]
	stp q0, q1, [sp, #VECTORS]
	stp q2, q3, [sp, #VECTORS + 32]
	stp q4, q5, [sp, #VECTORS + 64]
	stp q6, q7, [sp, #VECTORS + 96]

	mov x0, x16
	add x1, x29, #16
	mov x2, x30
	add x3, sp, #REAL
	bl measure_wrap_stub_before
	str w0, [sp, #WORDS]
	lsr x0, x0, #32
	str x0, [sp, #STATE]
	mov x9, x0
	stack_copy

	cmp x9, #MEASURE_WRAP_ASKS
	b.ne 1f
	arguments_restore
	ldr x16, [x17, #ROW]
	ldr x16, [x16, #MEASURE_WRAP_OFFSET_ENTER]
	blr x16
	and x0, x0, #1
	lsl x0, x0, #1 /* ASKS, or nothing */
	sub x17, x29, #FRAME
	str x0, [x17, #STATE]
	stack_copy

1:	arguments_restore
	ldr x16, [x17, #REAL]
	blr x16

	sub x17, x29, #FRAME
	ldr x9, [x17, #STATE]
	cbz x9, 3f
	stp x0, x1, [x17]
	stp q0, q1, [x17, #VECTORS]
	stp q2, q3, [x17, #VECTORS + 32]
	ldr x16, [x17, #ROW]
	cmp x9, #MEASURE_WRAP_ASKS
	b.eq 1f
	mov x0, x16
	bl measure_wrap_stub_after
	b 2f
1:	ldr x16, [x16, #MEASURE_WRAP_OFFSET_LEAVE]
	blr x16
2:	sub x17, x29, #FRAME
	ldp x0, x1, [x17]
	ldp q0, q1, [x17, #VECTORS]
	ldp q2, q3, [x17, #VECTORS + 32]
3:	mov sp, x29
	ldp x29, x30, [sp], #16
	.cfi_def_cfa 31, 0
	.cfi_restore 29
	.cfi_restore 30
	ret
	.cfi_endproc
	.size measure_wrap_trampoline, .-measure_wrap_trampoline

	.globl measure_wrap_nothing
	.type measure_wrap_nothing, %function
	.balign 16
measure_wrap_nothing:
	.cfi_startproc
	hint #34
	mov x0, #0
	mov x1, #0
	movi v0.2d, #0
	movi v1.2d, #0
	ret
	.cfi_endproc
	.size measure_wrap_nothing, .-measure_wrap_nothing
#endif

	.section .note.GNU-stack, "", %progbits
