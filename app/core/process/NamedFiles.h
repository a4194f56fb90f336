#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The files that a confined process can open: copies of those that it is given under names, and no other.
namespace haloscope::process {

class TrappedCall;

/// Those of each file are there from the beginning: one for each time that it can be opened, and the last one, which
/// the process is never given and so does not close, for its size.
inline constexpr int kDescriptorsOfAFile = 8;
inline constexpr int kOpeningsOfAFile = kDescriptorsOfAFile - 1;
inline constexpr int kMaxNamedFiles = 8;

/// A place in a text, for handlers of signals: the name stays where it is.
struct TextPlace {
  const char* file = "";
  int line = 0;
};

/// How a file was asked for that the process does not get.
/// Made: it is a picture, and one that was made for it is read instead.
enum class FileRefusal : std::uint8_t { Reading, Writing, Looking, TooOften, Made };

struct AskedFile {
  std::string name;
  FileRefusal how = FileRefusal::Reading;
  TextPlace at;
};

/// From now on these names stand for the descriptors from kFirstNamedFile on, kDescriptorsOfAFile for each. At most
/// kMaxNamedFiles.
void nameFiles(const std::vector<std::string>& names);

/// Answers a system call that names a file. For a handler of SIGSYS: it allocates nothing and takes no lock, unless
/// `at` does, which tells where the program makes the call, and is asked only for a file that is noted.
void answerFileCall(TrappedCall& call, TextPlace (*at)());

/// Whether a file of this name was given.
[[nodiscard]] bool isNamedFile(const char* name);
/// Notes that this file was asked for, at the place that `at` tells.
void noteRefusal(const char* name, FileRefusal how, TextPlace (*at)());

/// What was asked for since the last time, each name once for reading, looking, and once for writing. For one thread at
/// a time.
[[nodiscard]] std::vector<AskedFile> takeAskedFiles();

}  // namespace haloscope::process
