#pragma once

#include <map>
#include <string>
#include <vector>

namespace haloscope::host {

/// Where the program's files are as the compiler sees them, in memory.
inline constexpr const char kProgramFolder[] = "/program/";

/// A program as its files: what is compiled, and the headers that these include.
struct HostProgram {
  struct File {
    std::string name;  ///< relative to the program's folder: "src/main.cu"
    std::string text;
  };
  std::vector<File> files;                       ///< each a translation unit
  std::map<std::string, std::string> headers{};  ///< texts by name, relative to the program's folder
  std::map<std::string, std::string> defines{};  ///< macros: what the texts define by these names does not count
};

/// A place in one of the files or headers; line 0: unknown.
struct HostPlace {
  std::string file;
  int line = 0;
  bool operator==(const HostPlace&) const = default;
};

/// An error or a warning of the compiler or the linker.
struct HostDiagnostic {
  HostPlace where;
  int column = 0;
  std::string message;
  std::string undefined{};  ///< the name that no file of the program defines; of other errors empty
  bool isClash = false;     ///< several of them define the same
};

}  // namespace haloscope::host
