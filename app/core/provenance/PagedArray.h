#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace haloscope::provenance {

/// A long array of which a worker touches its own parts only: a page is made, of value-initialised elements, when one
/// of its elements is first asked for.
template <class T>
class PagedArray {
 public:
  static constexpr std::size_t kPage = 4096;
  using Page = std::array<T, kPage>;

  PagedArray() = default;
  explicit PagedArray(std::size_t size) : pages_((size + kPage - 1) / kPage) {}

  [[nodiscard]] T& at(std::size_t index) {
    std::unique_ptr<Page>& page = pages_[index / kPage];
    if (!page) { page = std::make_unique<Page>(); }
    return (*page)[index % kPage];
  }
  /// Null where no element of the page was requested.
  [[nodiscard]] const T* find(std::size_t index) const {
    const Page* page = pages_[index / kPage].get();
    return page == nullptr ? nullptr : &(*page)[index % kPage];
  }

  [[nodiscard]] std::size_t pageCount() const { return pages_.size(); }
  [[nodiscard]] const Page* page(std::size_t number) const { return pages_[number].get(); }

  /// Takes the other's pages; where both have one, calls `merge(T& own, const T& other)` for each element.
  template <class Merge>
  void join(PagedArray& other, const Merge& merge) {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      if (!other.pages_[i]) { continue; }
      if (!pages_[i]) {
        pages_[i] = std::move(other.pages_[i]);
        continue;
      }
      for (std::size_t at = 0; at < kPage; ++at) { merge((*pages_[i])[at], (*other.pages_[i])[at]); }
    }
  }

 private:
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace haloscope::provenance
