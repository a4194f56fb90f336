#pragma once

namespace haloscope {

/// How far a movement is that begins and ends slowly, after `share` of its time; both 0…1.
[[nodiscard]] constexpr float eased(float share) { return share * share * (3 - 2 * share); }

}  // namespace haloscope
