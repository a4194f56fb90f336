#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/Launch.h"
#include "recording/BlockView.h"

/// Places as panels write them.
namespace haloscope {

/// "thread x=3 y=2": threadIdx in a block of that shape, x first as in CUDA; in a block of one axis just "thread 3".
[[nodiscard]] std::string threadText(std::uint32_t thread, const Dim3& block);
/// "z=3 y=25 x=20": a point of an array of `axes` axes, slowest first as in the text's subscripts; of one axis just
/// "20".
[[nodiscard]] std::string pointText(const recording::GridPoint& at, std::size_t axes);

}  // namespace haloscope
