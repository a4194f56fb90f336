#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace haloscope {

/// A file that is there whole or not at all: what is written goes to a temporary file in the same folder, which takes
/// the file's name when it is complete. A symbolic link is followed, not replaced; a device or a pipe is written
/// directly. Belongs to one thread at a time.
class OutputFile {
 public:
  /// Begins it; problem() says if that failed.
  explicit OutputFile(std::filesystem::path path);
  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// False if it failed, now or before.
  bool write(std::string_view bytes);
  /// Flushes it to the disk and gives it its name. Returns an error message; empty on success. Nothing can be written
  /// afterwards.
  std::string commit();

  /// The first error, in one sentence with the file's name; empty: none so far.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// The file that is being written, for another program that writes it; empty for a device or a pipe.
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

 private:
  void fail();
  void drop();

  std::filesystem::path path_, target_, temporary_;
  std::string problem_;
  unsigned mode_ = 0644;
  int file_ = -1;
};

}  // namespace haloscope
