// SPDX-License-Identifier: BSD-3-Clause
//
// Each operator of C++ that the adapter records, called by its name, with sizes that tell the calls
// apart; and memory that there is not.
#include <cstdint>
#include <cstdio>
#include <new>

int main()
{
	const auto align = std::align_val_t(128);
	const auto &nothrow = std::nothrow;
	volatile std::size_t too_much = SIZE_MAX / 4;
	int caught = 0;

	::operator delete(::operator new(101));
	::operator delete(::operator new(102), std::size_t(102));
	::operator delete(::operator new(103, nothrow), nothrow);
	::operator delete(::operator new(104, align), align);
	::operator delete(::operator new(105, align), std::size_t(105), align);
	::operator delete(::operator new(106, align, nothrow), align, nothrow);
	::operator delete[](::operator new[](201));
	::operator delete[](::operator new[](202), std::size_t(202));
	::operator delete[](::operator new[](203, nothrow), nothrow);
	::operator delete[](::operator new[](204, align), align);
	::operator delete[](::operator new[](205, align), std::size_t(205), align);
	::operator delete[](::operator new[](206, align, nothrow), align, nothrow);
	for (int i = 0; i < 2; i++) {
		try {
			::operator delete(::operator new(too_much));
		} catch (const std::bad_alloc &) {
			caught++;
		}
	}
	if (::operator new(too_much, nothrow) || caught != 2) {
		std::puts("wrong");
		return 1;
	}
	::operator delete(::operator new(107));
	return 0;
}
