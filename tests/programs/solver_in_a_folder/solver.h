#pragma once

#include <vector>

class HeatSolver {
 public:
  HeatSolver(int nx, int ny, float alpha);
  ~HeatSolver();
  void set(const std::vector<float>& values);
  void advance(int steps);
  std::vector<float> get() const;

 private:
  int nx_, ny_;
  float alpha_;
  float* current_ = nullptr;
  float* next_ = nullptr;
};
