#pragma once

#include <string>
#include <type_traits>
#include <vector>

namespace haloscope::gpu {

/// Folders to search for NVIDIA's libraries, most specific first: next to the program (also ../lib), the toolkit that
/// the program was built with, the system's search path (""), and /usr/local/cuda.
[[nodiscard]] std::vector<std::string> libraryFolders();

/// An owning handle of a library opened at run time.
class SharedLibrary {
 public:
  SharedLibrary() = default;
  /// Tries to open `file`, a path or a name for the system's search path; check opened().
  explicit SharedLibrary(const std::string& file);
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  ~SharedLibrary();

  [[nodiscard]] bool opened() const { return handle_ != nullptr; }
  /// Its path; empty if unknown.
  [[nodiscard]] std::string file() const;
  /// The loader's error message.
  [[nodiscard]] const std::string& error() const { return error_; }

  /// Sets `function` to the symbol of this name, or to null if there is none; returns whether there is.
  template <typename Function>
    requires std::is_pointer_v<Function>
  bool load(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(symbol(name));
    return function != nullptr;
  }

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace haloscope::gpu
