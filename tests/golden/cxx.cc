// SPDX-License-Identifier: BSD-3-Clause
// Namespaces, templates, a virtual call, and exceptions that fly across instrumented frames.
#include <cstdio>
#include <stdexcept>

namespace shapes {

struct shape {
	virtual int area() const = 0;
	virtual ~shape() = default;
};

struct square : shape {
	explicit square(int a) : side(a) {}
	int area() const override
	{
		return side * side;
	}
	int side;
};

template <typename T> T twice(T value)
{
	return value + value;
}

} // namespace shapes

static void thrower(int depth)
{
	if (depth == 0)
		throw std::runtime_error("enough");
	thrower(depth - 1);
}

static bool catcher()
{
	try {
		thrower(2);
	} catch (const std::exception &) {
		return true;
	}
	return false;
}

int main()
{
	shapes::square s(3);
	std::printf("%d\n", shapes::twice(s.area()));
	bool caught = catcher();
	std::printf("%g\n", shapes::twice(0.5));
	return caught ? 0 : 1;
}
