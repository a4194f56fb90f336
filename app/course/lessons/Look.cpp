#include "lessons/Look.h"

namespace haloscope::lessons {

WindowLink lookOf(const Question& question, const Setting& drawn, const Catalogue& catalogue) {
  LinkPairs pairs = question.look;
  const KernelFile& file = catalogue.at(drawn.kernel);
  for (auto& [key, value] : pairs) { value = withNumbers(value, drawn, file); }
  return parseWindowLink(pairs, catalogue, drawn);
}

}  // namespace haloscope::lessons
