#pragma once
#include "field.h"

class Solver {
 public:
  explicit Solver(Field& field);
  ~Solver();
  void run(int steps);

 private:
  Field& field_;
  float* next_ = nullptr;
};
