/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Overloads, templates, operators, a lambda and recursion, for filters to tell apart. */
#include <cstdio>

namespace ns
{
template <int N> int scale(int x)
{
	return x * N;
}
int solve(int x)
{
	return x + 1;
}
int solve(double x)
{
	return (int)x;
}
} // namespace ns

struct adder {
	int operator()(int a) const
	{
		return a + 1;
	}
};

static int recurse(int n)
{
	return n > 0 ? recurse(n - 1) + 1 : 0;
}

extern "C" int plain_c(int a)
{
	return a + 2;
}

int main()
{
	auto twice = [](int a) { return 2 * a; };
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += ns::scale<2>(i) + ns::scale<3>(i) + ns::solve(i) + ns::solve(0.5 * i) +
		       adder()(i) + plain_c(i) + twice(i);
	std::printf("%d\n", sum + recurse(3));
}
