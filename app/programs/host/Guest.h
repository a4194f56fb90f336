#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "host/HostProgram.h"
#include "process/NamedFiles.h"

/// A compiled program in this process: linked, then executed.
namespace haloscope::host {

/// The functions of the runtime that the program calls, by their names.
using GuestSymbols = std::map<std::string, void*>;

/// A program whose objects are linked into this process.
class Guest {
 public:
  /// Links the objects. Undefined names are looked up among `symbols`, then in this process's shared libraries. If the
  /// program cannot be linked, `problems()` says why and it cannot run.
  Guest(std::span<const std::span<const std::byte>> objects, const GuestSymbols& symbols);
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  [[nodiscard]] const std::vector<HostDiagnostic>& problems() const { return problems_; }
  /// All that it lacks is main().
  [[nodiscard]] bool lacksMain() const { return lacksMain_; }
  /// Runs the constructors of global objects, then main(). `begin` is told of each object before its constructors run.
  [[nodiscard]] int run(const std::vector<std::string>& arguments,
                        const std::function<void(std::size_t object)>& begin) const;
  /// The place in the text that an address of the program's code comes from; line 0 for other code.
  [[nodiscard]] process::TextPlace placeOf(std::uintptr_t code) const;
  /// The global variable of the program that an address is in; empty if it is in none.
  [[nodiscard]] std::span<const std::byte> variableAt(std::uintptr_t address) const;
  [[nodiscard]] std::vector<std::span<const std::byte>> variables() const;

 private:
  struct Row {
    std::uintptr_t begin = 0, end = 0;
    std::uint32_t file = 0;
    int line = 0;
  };

  void readLines(std::span<const std::byte> object, const std::map<std::string, std::uint64_t>& sections);

  std::vector<HostDiagnostic> problems_;
  bool lacksMain_ = false;
  std::vector<std::vector<void (*)()>> constructors_;  ///< by object
  int (*main_)(int, char**, char**) = nullptr;
  std::vector<std::string> files_;
  std::vector<Row> rows_;                            ///< by address
  std::map<std::uintptr_t, std::size_t> variables_;  ///< their sizes by address
};

}  // namespace haloscope::host
