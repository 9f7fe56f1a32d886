# SPDX-License-Identifier: BSD-3-Clause
"""What the function from a clock's time to the corrected one may look like, whatever rule made it: bounds
that follow from the forward pass alone. For events of reference.Domain after its forward pass."""
import bisect
from fractions import Fraction

from reference import MOST_SLOPE

# Chords shorter than this tell nothing of slopes: times are whole ticks.
SHORTEST = 2000


def shifts_of(domain, archive):
    """By how much each event was moved in the end."""
    return [archive.locations[event.location].times[event.position] - event.t for event in domain.events]


def check(domain, shifts, loss, rounding, findings):
    check_bounds(domain.events, shifts, rounding, findings)
    check_slopes(domain.events, shifts, loss, rounding, findings)


def describe(event, shift):
    return f"location number {event.location} event {event.position} at {event.t}, by {float(shift)} ticks"


def check_bounds(events, shifts, rounding, findings):
    """Not less than the forward pass asks for, and not more: behind the last jump it is that (it
    decays), before it there is a ramp up to each jump at most. So long before the first jump it is
    nothing. No send is later than what waits for it allows."""
    ramp, time = 0, None
    for event, shift in zip(reversed(events), reversed(shifts)):
        least = event.c - event.t
        ramp = max(0, ramp - MOST_SLOPE * (time - event.t if time is not None else 0))
        if event.jump:
            ramp = max(ramp, least)
        time = event.t
        if shift < least - rounding:
            findings.add("less", f"{describe(event, shift)}, not {least}")
        if shift > max(least, ramp) + rounding:
            findings.add("more", f"{describe(event, shift)}, not {float(max(least, ramp))}")
        if event.room is not None and shift > event.room + rounding:
            findings.add("room", f"{describe(event, shift)}, not {event.room}")


def check_slopes(events, shifts, loss, rounding, findings):
    """Over chords that are long enough to tell, and have no jump inside: not falling faster than the
    decay, not rising faster than the ramp, but where that would be too much for a send before it, and
    no more than for that. Times are rounded, too: two ticks more or less."""
    jumps = [i for i, event in enumerate(events) if event.jump] + [len(events) - 1]
    sends = [i for i, event in enumerate(events) if event.room is not None]
    far = 0
    for left, (event, shift) in enumerate(zip(events, shifts)):
        while far < len(events) and events[far].t < event.t + SHORTEST:
            far += 1
        right = min(far, jumps[bisect.bisect_right(jumps, left, hi=len(jumps) - 1)])
        ticks, rise = events[right].t - event.t, shifts[right] - shift
        if rise < -loss * ticks - 2 * rounding:
            findings.add("falling", f"{describe(event, shift)}; {ticks} ticks later {-rise} less")
        if rise > MOST_SLOPE * ticks + 2 * rounding:
            least = steepest_to_send(events, sends, right, shifts[right])
            if least is not None and rise > least * (ticks + 2) + 2 * rounding:
                findings.add("steep", f"{describe(event, shift)}; {ticks} ticks later {rise} more")


def steepest_to_send(events, sends, right, shift):
    """The slope that takes the most limited send before an event where it must be; None: upright."""
    slope = MOST_SLOPE
    for send in sends[:bisect.bisect_left(sends, right)]:
        ticks, rise = events[right].t - events[send].t, shift - events[send].room
        if ticks == 0 and rise > 0:
            return None
        if ticks:
            slope = max(slope, Fraction(rise) / ticks)
    return slope
