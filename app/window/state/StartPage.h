#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "parts/Workspaces.h"
#include "program/Launch.h"

namespace haloscope {

/// What was looked at lately: a variant of the catalogue with its sizes, or a file; and where in it one was.
struct RecentItem {
  std::string kernel;          ///< id; empty: a file
  std::filesystem::path file;  ///< absolute; empty: a variant
  Bindings bindings{};
  Workspace workspace = Workspace::Walk;
  std::optional<Dim3> block{};  ///< that was chosen
  std::size_t step = 0;         ///< of it
  std::string lesson{};         ///< that was open beside it; empty: none

  bool operator==(const RecentItem&) const = default;
};

inline constexpr std::size_t kMostRecent = 6;

/// The page that the window begins with: where to go from here.
struct StartPage {
  bool shown = false;
  std::string picture{};                ///< the kernel that was chosen as the page came up; another one leaves it
  std::vector<RecentItem> recent{};     ///< the newest first
  std::optional<RecentItem> awaited{};  ///< one that was opened: its step is shown as soon as its block was executed
};

}  // namespace haloscope
