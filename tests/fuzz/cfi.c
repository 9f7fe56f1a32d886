/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fuzz target: the call stack that a signal has interrupted. Files of the input are `tables`
 * (.eh_frame_hdr, and .eh_frame behind it), and `registers` and `stack`, of words: see struct word.
 * Nothing is read but the tables and the stack, and what is taken twice is the same. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../unit/sample/t_tables.h"
#include "adapters/sample/processor.h"
#include "adapters/sample/sample.h"
#include "fuzz.h"

#define MOST_TABLES 16384
#define MOST_WORDS  1024

/* `value` is relative to what `kind` % 4 says. In `registers` the first is register 0's. */
struct word {
	uint8_t kind; /* 0: nothing, 1: the stack, 2: the first function, 3: 0, with a value of
			 `shift` */
	uint8_t shift;
	int16_t value;
};

/* Of the exact size, for a sanitizer to see what is read beside it. */
struct stack {
	uint64_t *words;
	size_t nr;
	uint64_t code;
};

static uint64_t word_at(const struct stack *stack, const struct fuzz_file *file, size_t index)
{
	const uint64_t bases[] = {0, (uint64_t)(uintptr_t)stack->words, stack->code, 0};
	struct word word;

	if (index >= file->size / sizeof(word))
		return 0;
	memcpy(&word, file->data + index * sizeof(word), sizeof(word));
	uint64_t value = (uint64_t)(int64_t)word.value;
	return bases[word.kind % 4] + (word.kind % 4 == 3 ? value << word.shift % 64 : value);
}

static void fill(struct stack *stack, const struct fuzz_file *file)
{
	stack->nr = file->size / sizeof(struct word);
	stack->nr = stack->nr < MOST_WORDS ? stack->nr : MOST_WORDS;
	stack->words = malloc(stack->nr ? stack->nr * sizeof(*stack->words) : 1);
	if (!stack->words)
		abort();
	for (size_t i = 0; i < stack->nr; i++)
		stack->words[i] = word_at(stack, file, i);
}

static void check(const struct measure_callstack *found)
{
	if (found->nr > MEASURE_MOST_FRAMES)
		fuzz_fault("%u frames", found->nr);
	for (uint32_t i = 0; i < found->nr; i++)
		if (found->frames[i].function > found->frames[i].address)
			fuzz_fault("frame %u is before its function", i);
}

/* The second time steps are known. */
static void unwind(const struct stack *stack, const ucontext_t *interrupted)
{
	static struct measure_unwinder unwinder;
	static struct measure_callstack found, again;

	memset(&unwinder, 0, sizeof(unwinder));
	unwinder.stack_begin = (uint64_t)(uintptr_t)stack->words;
	unwinder.stack_end = unwinder.stack_begin + stack->nr * sizeof(*stack->words);
	measure_unwind(&unwinder, interrupted, &found);
	check(&found);
	measure_unwind(&unwinder, interrupted, &again);
	if (found.nr != again.nr ||
		memcmp(found.frames, again.frames, found.nr * sizeof(*found.frames)) != 0)
		fuzz_fault("%u frames, and then %u others", found.nr, again.nr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_file file, registers = {.size = 0}, words = {.size = 0};
	struct stack stack = {.code = t_tables_use("", 0)};
	ucontext_t interrupted;
	size_t position = 0;

	while (fuzz_next(data, size, &position, &file)) {
		if (strcmp(file.name, "tables") == 0)
			stack.code = t_tables_use(
				file.data, file.size < MOST_TABLES ? file.size : MOST_TABLES);
		else if (strcmp(file.name, "registers") == 0)
			registers = file;
		else if (strcmp(file.name, "stack") == 0)
			words = file;
	}
	fill(&stack, &words);
	memset(&interrupted, 0, sizeof(interrupted));
	for (uint32_t i = 0; i < MEASURE_CFI_REGISTERS; i++)
		t_register_set(&interrupted, i, word_at(&stack, &registers, i));
	unwind(&stack, &interrupted);
	free(stack.words);
	return 0;
}
