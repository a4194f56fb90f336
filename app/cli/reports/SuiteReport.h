#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measuring/Peers.h"
#include "measuring/SuiteRun.h"

/// What `haloscope bench --suite` says of a class.
namespace haloscope {

/// The best rung and how far it is from what it should reach, or why there is none, in a line.
[[nodiscard]] std::string summaryOf(const measuring::SuiteClass& measured);
/// A table of the class's rungs, the fastest copy, and how far the best rung is from what it should reach.
void printClass(const measuring::SuiteClass& measured, const std::vector<measuring::PeerTime>& peers);
[[nodiscard]] nlohmann::ordered_json classToJson(const measuring::SuiteClass& measured,
                                                 const std::vector<measuring::PeerTime>& peers);

}  // namespace haloscope
