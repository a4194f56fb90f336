#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace haloscope {

/// The source of a kernel while it is edited, here or in another editor. This source is what is executed.
struct WorkingCopy {
  std::string id;                          ///< of the variant: "stencil/tiled", "opened/mine"
  std::filesystem::path path;              ///< its file
  std::string text{};                      ///< as it is here
  std::string fileText{};                  ///< as it is in the file, as far as is known
  std::optional<std::string> outside{};    ///< what another program wrote to the file while the text differed from it
  std::optional<std::string> sceneText{};  ///< the text that a scene put here
  bool opened = false;                     ///< a file opened by the user, to be saved to; else one of the catalogue's
  std::uint64_t revision = 0;              ///< counts the changes of the text
  bool typing = false;                     ///< the last one came from the keyboard: the next may follow at once

  [[nodiscard]] bool changed() const { return text != fileText; }
  /// Neither the file nor a scene has it.
  [[nodiscard]] bool unsaved() const { return changed() && text != sceneText; }
  void setText(std::string now, bool typed = false) {
    if (now == text) { return; }
    text = std::move(now);
    typing = typed;
    ++revision;
  }
};

}  // namespace haloscope
