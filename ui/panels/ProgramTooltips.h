#pragma once

#include <string>
#include <vector>

#include <imgui.h>

#include "state/AppState.h"
#include "state/ProgramTimeline.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The names of kernels above their launches, once for those in a row. A name that is wider than its launches reaches
/// over what follows, up to the next kernel; where that is too short, every second kernel has a lane of its own.
class KernelBands {
 public:
  /// The bands are drawn from `left` to `right`.
  KernelBands(const Theme& theme, float left, float right) : theme_(theme), left_(left), right_(right) {}

  /// From left to right. `kernel` must outlive this.
  void add(const std::string& kernel, float from, float to);
  /// How many lanes the names need: 1 or 2.
  [[nodiscard]] std::size_t lanes() const;
  /// `line`: from one lane to the next.
  void draw(ImDrawList* list, float top, float line, std::size_t lanes) const;

 private:
  struct Band {
    const std::string* kernel;
    float from, to;
  };

  /// Where the next band of the same lane begins.
  [[nodiscard]] float limit(std::size_t band, std::size_t lanes) const;
  void drawBand(ImDrawList* list, const Band& band, float limit, float top, float line) const;

  const Theme& theme_;
  float left_, right_;
  std::vector<Band> bands_;
};

/// Exact values of an array of an executed program.
void drawArrayTooltip(const ShownProgram& program, const Theme& theme, const ProgramRow& row);
/// What a column of the time line does, or what is folded there. `dense`: it shares its pixel with others.
void drawColumnTooltip(const ShownProgram& program, const Theme& theme, const FoldedColumns::Item& item, bool dense);

}  // namespace haloscope::ui
