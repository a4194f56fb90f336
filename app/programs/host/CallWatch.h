#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "host/Guest.h"
#include "host/HostMessages.h"

/// Watches the calls of the program's own functions that take arrays and write one, see HostFunction.h.
namespace haloscope::host {

/// What the compiled program calls when such a function begins and returns.
[[nodiscard]] GuestSymbols watchSymbols();

/// From now on the calls of this thread are watched. `send` passes on each that has returned; `registered` gives the
/// memory of the runtime that an address is in, if there is any.
struct CallWatching {
  const Guest* guest = nullptr;
  std::function<void(const FunctionCall&, const std::vector<std::span<const std::byte>>&)> send;
  std::function<std::span<const std::byte>(std::uintptr_t)> registered;
};
void watchCalls(CallWatching watching);
void endWatchingCalls();

/// By index, the calls so far whose results the program has left as they were, until it freed their memory or now.
[[nodiscard]] std::vector<std::uint64_t> unchangedResults();

/// The function that is being watched has called the runtime: it is none that computes by itself.
void noteRuntimeCall();

/// Calls a function again, see Returned: its blocks afterwards. None if there is no such call.
[[nodiscard]] std::vector<std::vector<std::byte>> callAgain(std::span<const std::uint64_t> request,
                                                            std::span<const std::byte> blocks);

}  // namespace haloscope::host
