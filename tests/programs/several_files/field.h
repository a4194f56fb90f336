#pragma once
#include <vector>

class Field {
 public:
  Field(int width, int height);
  ~Field();
  Field(const Field&) = delete;
  void poke(int x, int y, float value);
  float energy() const;
  int width() const { return width_; }
  int height() const { return height_; }
  float* device() const { return device_; }
  void swapWith(float*& other);

 private:
  int width_, height_;
  float* device_ = nullptr;
};
