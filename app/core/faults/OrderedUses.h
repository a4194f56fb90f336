#pragma once

#include <cstdint>

namespace haloscope::faults {

/// Who used an element last, by one place of the text: the last thread, the last other thread, and the last one of
/// another block.
class OrderedUse {
 public:
  struct One {
    std::uint64_t time = 0;  ///< see ReleaseOrder; 0: no thread
    std::uint64_t block = 0;
    std::uint32_t thread = 0;  ///< linear in the block
    std::uint32_t value = 0;   ///< folded, of a store
  };

  void add(const One& one) {
    if (latest_.time != 0 && latest_.block != one.block) { otherBlock_ = latest_; }
    if (latest_.time != 0 && !isSameThread(latest_, one)) { otherThread_ = latest_; }
    latest_ = one;
  }
  /// The last one by a thread of another block.
  [[nodiscard]] const One& byOtherBlock(std::uint64_t block) const {
    return latest_.block != block ? latest_ : otherBlock_;
  }
  /// The last one by another thread of the same block, as far as it is known.
  [[nodiscard]] const One* byOtherThread(const One& than) const {
    const One& last = isSameThread(latest_, than) ? otherThread_ : latest_;
    return last.time != 0 && last.block == than.block ? &last : nullptr;
  }

 private:
  [[nodiscard]] static bool isSameThread(const One& a, const One& b) {
    return a.block == b.block && a.thread == b.thread;
  }

  One latest_;
  One otherThread_;
  One otherBlock_;
};

}  // namespace haloscope::faults
