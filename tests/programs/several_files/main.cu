// expects: exited 0
// expects: launches 6
// expects: prints energy decreases
#include <cstdio>

#include "field.h"
#include "solver.h"

int main() {
  Field field(24, 20);
  field.poke(12, 10, 100.0f);
  const float before = field.energy();
  Solver solver(field);
  solver.run(6);
  const float after = field.energy();
  std::printf("energy %s: %g, then %g\n", after < before ? "decreases" : "does not decrease", before, after);
  return after < before ? 0 : 1;
}
