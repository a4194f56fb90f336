// expects: exited 0
// expects: launches 4
// expects: prints rank 0 of 1
// expects: prints residual 0.
// expects: prints to itself 3 1 4, column 1 4
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// Rows of a plate are divided among ranks, of which there is one: neighbours are MPI_PROC_NULL.

__global__ void step(const float *in, float *out, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows + 2) return;
  float v = in[y * columns + x];
  if (x > 0 && x < columns - 1 && y > 0 && y < rows + 1)
    v = 0.25f * (in[y * columns + x - 1] + in[y * columns + x + 1] + in[(y - 1) * columns + x] + in[(y + 1) * columns + x]);
  out[y * columns + x] = v;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("rank %d of %d\n", rank, size);
  const int columns = 40, rows = 30 / size, up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  const size_t bytes = (size_t)(rows + 2) * columns * sizeof(float);
  float *host = (float *)calloc((rows + 2) * columns, sizeof(float)), *a, *b;
  for (int x = 0; x < columns; ++x) host[x] = 1;
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes);
  cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
  double began = MPI_Wtime();
  for (int t = 0; t < 4; ++t) {
    step<<<dim3((columns + 15) / 16, (rows + 2 + 7) / 8), dim3(16, 8)>>>(a, b, rows, columns);
    MPI_Sendrecv(b + columns, columns, MPI_FLOAT, up, 0, b + (rows + 1) * columns, columns, MPI_FLOAT, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Request requests[2];
    MPI_Isend(b + rows * columns, columns, MPI_FLOAT, down, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(b, columns, MPI_FLOAT, up, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    float *swap = a;
    a = b, b = swap;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost);
  float sum = 0, all;
  for (int x = 0; x < columns; ++x) sum += host[columns + x] / columns;
  MPI_Allreduce(&sum, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("residual %.3f\n", all);
  if (MPI_Wtime() < began) return 1;

  int given[3] = {3, 1, 4}, got[3] = {}, matrix[6] = {1, 2, 3, 4, 5, 6}, column[2];
  MPI_Request request;
  MPI_Irecv(got, 3, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  MPI_Send(given, 3, MPI_INT, rank, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Datatype type;
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(matrix, 1, type, rank, 6, column, 2, MPI_INT, rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  printf("to itself %d %d %d, column %d %d\n", got[0], got[1], got[2], column[0], column[1]);
  cudaFree(a), cudaFree(b), free(host);
  MPI_Finalize();
}
