#pragma once

#include <array>

#include "simt/Executor.h"

namespace haloscope::simt {

/// How options and files name the orders.
struct NamedWarpOrder {
  const char* name;
  WarpOrder order;
};
inline constexpr std::array kWarpOrders = {
    NamedWarpOrder{"side-by-side", WarpOrder::SideBySide}, NamedWarpOrder{"in-order", WarpOrder::InOrder},
    NamedWarpOrder{"reversed", WarpOrder::Reversed}, NamedWarpOrder{"random", WarpOrder::Random},
    NamedWarpOrder{"adversarial", WarpOrder::Adversarial}};

}  // namespace haloscope::simt
