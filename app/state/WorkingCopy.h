#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace haloscope {

/// The text of a kernel while a person works on it, here or in another editor. What is executed is this text.
struct WorkingCopy {
  std::string id;                      ///< of the variant: "stencil/tiled", "opened/mine"
  std::filesystem::path path;          ///< its file
  std::string text;                    ///< as it stands here
  std::string fileText;                ///< as the file stands, as far as is known
  std::optional<std::string> outside;  ///< what another program wrote to the file while the text differed from it
  bool opened = false;                 ///< a file that the person brought, to be saved to; else one of the catalogue's
  std::uint64_t revision = 0;          ///< counts the changes of the text
  bool typing = false;                 ///< the last one came from the keyboard: the next may follow at once

  [[nodiscard]] bool changed() const { return text != fileText; }
  void setText(std::string now, bool typed = false) {
    if (now == text) { return; }
    text = std::move(now);
    typing = typed;
    ++revision;
  }
};

}  // namespace haloscope
