/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of namespace lib, whose names are inside of what they return or behind it, and of
 * namespace app, which have those of lib in theirs. */
#include <cstdio>
#include <string>

namespace lib
{
typedef double pair __attribute__((vector_size(16)));
struct matrix {
	double value;
	explicit operator bool() const
	{
		return value > 0;
	}
	template <class T> bool operator<(T x) const
	{
		return value < x;
	}
};
template <class T> T multiply(const T &a, const T &b)
{
	return a * b;
}
static int half(int x)
{
	return x / 2;
}
template <class T> int (*get(T))(int)
{
	return half;
}
template <class T> decltype(auto) same(T x)
{
	return x;
}
__attribute__((abi_tag("v2"))) int tagged(int x)
{
	return x;
}
namespace
{
template <class T> T hidden(T x)
{
	auto twice = [](auto y) { return 2 * y; };
	return twice(x);
}
} // namespace
} // namespace lib

namespace app
{
template <class T> lib::matrix make(T x)
{
	return {x + 0.5};
}
template <class T> int ask(T x)
{
	return x.value > 1;
}
int run(lib::matrix m)
{
	return m.value > 0;
}
} // namespace app

int main()
{
	lib::pair a = {1, 2}, b = lib::multiply(a, a);
	lib::matrix m = app::make(2);
	int sum = app::ask(m) + app::run(m) + (m ? 1 : 0) + (m < 3 ? 1 : 0);

	sum += lib::get(1)(4) + lib::same(1) + lib::tagged(2) + lib::hidden(3);
	std::printf("%d\n", sum + static_cast<int>(b[1]));
}
