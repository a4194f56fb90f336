#pragma once

#include <string>

namespace haloscope::checking {

/// What a student may look at next, in a sentence or two, where a finding of this kind was found: a name of
/// faults::FindingKind or running::HostFindingKind. Empty: the finding says it all. In the current language.
[[nodiscard]] std::string nextStep(const std::string& kind);

}  // namespace haloscope::checking
