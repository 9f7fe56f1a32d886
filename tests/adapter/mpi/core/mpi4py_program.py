# SPDX-License-Identifier: BSD-3-Clause
# What Python programs do with MPI: messages of objects and of buffers, collectives, communicators.
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
right, left = (rank + 1) % size, (rank - 1) % size

# Objects.
request = world.isend({"from": rank, "list": list(range(rank))}, dest=right, tag=1)
came = world.recv(source=left, tag=1)
request.wait()
assert came == {"from": left, "list": list(range(left))}
assert world.sendrecv("x" * rank, dest=left, source=right) == "x" * right
assert world.bcast([1, "two"] if rank == 0 else None, root=0) == [1, "two"]
assert world.allgather(rank) == list(range(size))
assert world.alltoall([rank] * size) == list(range(size))
assert world.reduce(rank, op=MPI.MAX, root=1) == (size - 1 if rank == 1 else None)
scattered = world.scatter([str(i) for i in range(size)] if rank == 0 else None, root=0)
assert scattered == str(rank)

# Buffers.
mine = array("d", [rank] * 1000)
theirs = array("d", [0] * 1000)
requests = [world.Irecv(theirs, source=MPI.ANY_SOURCE, tag=2), world.Isend(mine, dest=right, tag=2)]
MPI.Request.Waitall(requests)
assert theirs[999] == left
world.Allreduce(MPI.IN_PLACE, mine, op=MPI.SUM)
assert mine[0] == size * (size - 1) / 2
persistent = world.Send_init(theirs, dest=right, tag=3)
persistent.Start()
status = MPI.Status()
world.Probe(source=left, tag=3, status=status)
assert status.Get_count(MPI.DOUBLE) == 1000
world.Recv(theirs, source=left, tag=3)
persistent.Wait()
persistent.Free()
world.Ibarrier().Wait()

# Communicators.
half = world.Split(rank % 2, key=-rank)
half.Set_name("half of the world")
assert half.allreduce(1) == (size + 1 - rank % 2) // 2
grid = world.Create_cart([size], periods=[True])
assert grid.Shift(0, 1) == (left, right)
grid.Barrier()
grid.Free()
half.Free()

if rank == 0:
    print("Python and MPI are right")
