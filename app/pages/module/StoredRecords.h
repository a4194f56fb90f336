#pragma once

#include <map>
#include <string>

namespace haloscope::questions {

/// From now on recordedNumber() and dataSheetNumber() find these, which recordsIn() named.
void offerRecords(std::map<std::string, double> records);

}  // namespace haloscope::questions
