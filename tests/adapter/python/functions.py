# SPDX-License-Identifier: BSD-3-Clause
# Calls functions in all the ways that Python has, one subject after the other, and counts the times that each one
# is entered: calls, and each time that a generator or coroutine goes on. Prints "NAME COUNT" lines at the end.
import asyncio
import concurrent.futures
import functools
import sys
import threading

calls = {"dive": 0}  # by name in this file; no function of ours counts, as it would be one more


class Shape:
    calls["Shape"] = calls.get("Shape", 0) + 1

    def __init__(self, size):
        calls["Shape.__init__"] = calls.get("Shape.__init__", 0) + 1
        self.size = size

    @property
    def area(self):
        calls["Shape.area"] = calls.get("Shape.area", 0) + 1
        return self.size**2

    @classmethod
    def unit(cls):
        calls["Shape.unit"] = calls.get("Shape.unit", 0) + 1
        return cls(1)

    @staticmethod
    def sides():
        calls["Shape.sides"] = calls.get("Shape.sides", 0) + 1
        return 4

    def __lt__(self, other):
        calls["Shape.__lt__"] = calls.get("Shape.__lt__", 0) + 1
        return self.size < other.size


class Circle(Shape):
    calls["Circle"] = calls.get("Circle", 0) + 1

    @property
    def area(self):
        calls["Circle.area"] = calls.get("Circle.area", 0) + 1
        return 3 * super().area


def make(step):
    calls["make"] = calls.get("make", 0) + 1

    def inner(x):
        calls["make.<locals>.inner"] = calls.get("make.<locals>.inner", 0) + 1
        return x + step

    return inner


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    calls["fibonacci"] = calls.get("fibonacci", 0) + 1
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def basics():
    calls["basics"] = calls.get("basics", 0) + 1
    assert sorted([Shape(3), Circle(2), Shape(1)])[0].size == 1
    assert [Circle(2).area, Shape.unit().area, Shape.sides()] == [12, 1, 4]
    assert list(map(make(2), range(10))) == list(range(2, 12))
    assert fibonacci(30) == 832040


def numbers(n):
    calls["numbers"] = calls.get("numbers", 0) + 1
    for i in range(n):
        yield i
        calls["numbers"] += 1


def both(n):
    calls["both"] = calls.get("both", 0) + 1
    # Each time that a generator in here goes on, so does this one.
    for source in (numbers(n), numbers(n)):
        for item in source:
            yield item
            calls["both"] += 1


def endless():
    calls["endless"] = calls.get("endless", 0) + 1
    try:
        while True:
            try:
                yield 1
                calls["endless"] += 1
            except KeyError:
                calls["endless"] += 1
    except GeneratorExit:
        calls["endless"] += 1
        raise


def generators():
    calls["generators"] = calls.get("generators", 0) + 1
    assert sum(both(100)) == 9900
    it = endless()
    next(it)
    it.send(2)
    it.throw(KeyError)
    it.close()
    abandoned = endless()  # closed at the end of this function
    next(abandoned)


async def nap(n):
    calls["nap"] = calls.get("nap", 0) + 1
    for _ in range(n):
        await asyncio.sleep(0)
        calls["nap"] += 1
    return n


async def ticks(n):
    calls["ticks"] = calls.get("ticks", 0) + 1
    for i in range(n):
        yield i
        calls["ticks"] += 1


async def tasks():
    calls["tasks"] = calls.get("tasks", 0) + 1
    total = 0
    async for i in ticks(10):
        total += i
    assert total == 45
    jobs = list(map(asyncio.ensure_future, map(nap, range(20))))
    result = await asyncio.gather(*jobs)
    calls["tasks"] += 1
    assert sum(result) == 190


def coroutines():
    calls["coroutines"] = calls.get("coroutines", 0) + 1
    asyncio.run(tasks())


def fall(n):
    calls["fall"] = calls.get("fall", 0) + 1
    if n == 0:
        raise ValueError("from the bottom")
    fall(n - 1)


def catch_and_raise():
    calls["catch_and_raise"] = calls.get("catch_and_raise", 0) + 1
    try:
        fall(5)
    except ValueError as error:
        raise KeyError(1) from error
    finally:
        calls["catch_and_raise"] += 0


def dive(n):
    calls["dive"] += 1
    return dive(n + 1)


def exceptions():
    calls["exceptions"] = calls.get("exceptions", 0) + 1
    sys.setrecursionlimit(2000)
    for depth in (999, 0):
        try:
            fall(depth)
        except ValueError:
            pass
    try:
        catch_and_raise()
    except KeyError:
        pass
    try:
        dive(0)
    except RecursionError:
        pass
    try:
        int("no number")
    except ValueError:
        pass


def work(name, n):
    with lock:
        calls["work"] = calls.get("work", 0) + 1
    for _ in range(n):
        step(name)


def step(name):
    with lock:
        calls["step"] = calls.get("step", 0) + 1


def threads():
    calls["threads"] = calls.get("threads", 0) + 1
    crowd = []
    for i in range(20):
        crowd.append(threading.Thread(target=work, args=(i, 50)))
        crowd[-1].start()
    for one in crowd:
        one.join()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(step, range(100)))


def made_here():
    calls["made_here"] = calls.get("made_here", 0) + 1
    space = {"__name__": "made", "calls": calls}
    for _ in range(100):  # a hundred times the same function
        exec('def other():\n calls["made"] = calls.get("made", 0) + 1\nother()', space)


lock = threading.Lock()
for subject in (basics, generators, coroutines, exceptions, threads, made_here):
    subject()
calls["<module>"] = 1
for name, count in sorted(calls.items()):
    print(name, count)
