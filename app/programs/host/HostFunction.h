#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/HostProgram.h"
#include "program/Program.h"

/// Functions of a program's host half that take arrays and write one: among them is the program's own way to compute
/// what its kernels compute.
namespace haloscope::host {

struct HostParameter {
  enum class Form : std::uint8_t {
    Number,
    Array,   ///< a pointer to numbers
    Vector,  ///< a std::vector of numbers
  };
  std::string name{};
  Form form = Form::Number;
  ValueType type = ValueType::F32;  ///< of the number, or of an array's elements
  bool written = false;             ///< the elements are not const
};

struct HostFunction {
  std::string name;  ///< "heat::step"
  HostPlace at{};
  std::vector<HostParameter> parameters{};
  bool returnsVector = false;  ///< its result is a std::vector, the last of `parameters`
};

/// As text, which the compiled program has for each such function.
[[nodiscard]] std::string textOf(const HostFunction& function);
/// Throws InputError if the text is none of textOf().
[[nodiscard]] HostFunction functionIn(const std::string& text);

}  // namespace haloscope::host
