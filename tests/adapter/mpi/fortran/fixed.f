! SPDX-License-Identifier: BSD-3-Clause
! A program as of 1994: fixed form, mpif.h, implicit types, one array for all statuses.
! Ranks: 3
      PROGRAM FIXED
      INCLUDE 'mpif.h'
      INTEGER RANK, SIZE, IERR, NEXT, BEFORE
      INTEGER REQ(2), STATS(MPI_STATUS_SIZE, 2)
      DOUBLE PRECISION X(100), Y(100), TOTAL

      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      NEXT = MOD(RANK + 1, SIZE)
      BEFORE = MOD(RANK + SIZE - 1, SIZE)
      DO 10 I = 1, 100
         X(I) = RANK
   10 CONTINUE
      DO 20 I = 1, 3
         CALL MPI_IRECV(Y, 100, MPI_DOUBLE_PRECISION, BEFORE, I,
     &                  MPI_COMM_WORLD, REQ(1), IERR)
         CALL MPI_ISEND(X, 10 * I, MPI_DOUBLE_PRECISION, NEXT, I,
     &                  MPI_COMM_WORLD, REQ(2), IERR)
         CALL MPI_WAITALL(2, REQ, STATS, IERR)
         IF (STATS(MPI_TAG, 1) .NE. I) CALL MPI_ABORT(MPI_COMM_WORLD,
     &                                                1, IERR)
   20 CONTINUE
      CALL MPI_REDUCE(Y(1), TOTAL, 1, MPI_DOUBLE_PRECISION, MPI_SUM,
     &                0, MPI_COMM_WORLD, IERR)
      CALL MPI_BCAST(TOTAL, 1, MPI_DOUBLE_PRECISION, 0,
     &               MPI_COMM_WORLD, IERR)
      IF (TOTAL .NE. SIZE * (SIZE - 1) / 2)
     &   CALL MPI_ABORT(MPI_COMM_WORLD, 1, IERR)
      IF (RANK .EQ. 0) PRINT *, 'right'
      CALL MPI_FINALIZE(IERR)
      END
