#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "recording/Recording.h"

namespace haloscope::recording {

/// Which thread writes which element of a global array, and when: found once for a recording.
class OutputWrites {
 public:
  OutputWrites() = default;
  OutputWrites(const Recording& recording, ObjectId object);

  /// Of the elements that a thread writes: the last one by the cursor's position, else the first one to come. Nothing
  /// for a thread that writes none.
  [[nodiscard]] std::optional<std::int64_t> of(std::uint32_t thread, std::size_t position) const;
  /// The thread that writes an element last.
  [[nodiscard]] std::optional<std::uint32_t> writer(std::int64_t element) const;

 private:
  struct Write {
    std::uint32_t step = 0;
    std::int64_t element = 0;
  };
  std::vector<std::vector<Write>> byThread_;  ///< in the order of the steps
  std::map<std::int64_t, std::uint32_t> writers_;
};

}  // namespace haloscope::recording
