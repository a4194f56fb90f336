#pragma once

#include <string>
#include <vector>

#include "host/HostProgram.h"
namespace haloscope::process {
class TrappedCall;
}

/// The files that a program can open: copies of those that the user has named for it, and no other.
namespace haloscope::host {

/// How often each of them can be opened: a descriptor for each time is there from the beginning.
inline constexpr int kOpeningsOfAFile = 8;
inline constexpr int kMaxNamedFiles = 8;

/// A file that the program asked for and did not get.
struct AskedFile {
  std::string name;
  bool writes = false;
  HostPlace at;
};

/// From now on these names stand for the descriptors from process::kFirstNamedFile on, kOpeningsOfAFile for each.
void nameFiles(const std::vector<std::string>& names);

/// Answers a system call that names a file. `at`: tells where the program makes it.
void answerFileCall(process::TrappedCall& call, HostPlace (*at)());

/// What was asked for since the last time, each name once.
[[nodiscard]] std::vector<AskedFile> takeAskedFiles();

}  // namespace haloscope::host
