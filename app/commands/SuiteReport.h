#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "measuring/Peers.h"
#include "measuring/SuiteRun.h"

/// What `haloscope bench --suite` says of a class.
namespace haloscope {

/// A table of the class's rungs, the fastest copy, and how far the best rung is from what it should reach.
void printClass(const measuring::SuiteClass& measured, const std::vector<measuring::PeerTime>& peers);
[[nodiscard]] nlohmann::ordered_json classToJson(const measuring::SuiteClass& measured,
                                                 const std::vector<measuring::PeerTime>& peers);

}  // namespace haloscope
