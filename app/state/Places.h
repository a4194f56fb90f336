#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program/Launch.h"
#include "recording/BlockView.h"

/// Places as panels write them.
namespace haloscope {

/// "thread (3,2)": threadIdx, x first as in CUDA, with as many axes as the block has (at least two).
[[nodiscard]] std::string threadText(std::uint32_t thread, const Dim3& block);
/// "(3,25,20)": a point of an array of so many axes, slowest axis first as in the text's subscripts.
[[nodiscard]] std::string pointText(const recording::GridPoint& at, std::size_t axes);

}  // namespace haloscope
