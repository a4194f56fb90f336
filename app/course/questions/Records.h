#pragma once

#include <string>

/// Numbers that no execution here gives: what was measured on a GPU, and what its data sheet says.
namespace haloscope::questions {

/// "7-point float 512³, stencil/basic, median_ms": class, variant and field as measured at the variant's default tile
/// (assets/recorded/h200_default_tiles.json), which is what a lesson shows, or else at its best one (h200_limit.json).
/// "3 × 3 convolution, whole call, 500², whole_ms" is of h200_small_convolution.json, with copies and launch. A field
/// within another one is "counters.l2_read_sectors". Throws InputError naming what there is instead.
[[nodiscard]] double recordedNumber(const std::string& arguments);

/// "NVIDIA H200 SXM 141 GB, bandwidth_gbs": name and field of assets/gpus.json. Throws as recordedNumber().
[[nodiscard]] double dataSheetNumber(const std::string& arguments);

}  // namespace haloscope::questions
