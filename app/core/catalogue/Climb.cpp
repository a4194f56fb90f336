#include "catalogue/Climb.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "language/Text.h"
#include "program/Misspelling.h"

namespace haloscope {

namespace {

using Variants = std::map<std::string, KernelFile*>;

/// Adds `variant` and everything above it. `above` holds each variant once, so that this ends even in a catalogue to
/// which an edited text was added.
void addRungs(const KernelFile& variant, int height, const std::map<std::string, std::vector<const KernelFile*>>& above,
              std::vector<Climb::Rung>& rungs) {
  rungs.push_back({&variant, height});
  const auto extending = above.find(variant.id);
  if (extending == above.end()) { return; }
  std::vector<const KernelFile*> next = extending->second;
  std::ranges::sort(next, {}, [&](const KernelFile* one) {
    return std::tuple(one->chapter != variant.chapter, one->order, one->id);
  });
  for (const KernelFile* one : next) { addRungs(*one, height + 1, above, rungs); }
}

/// "a/one, a/two, a/one": the way from `variant` along `extends` back to it; empty if it does not lead back.
std::string circleOf(const KernelFile& variant, const Variants& variants) {
  std::string way = variant.id;
  const KernelFile* at = &variant;
  for (std::size_t step = 0; step < variants.size() && !at->extends.empty(); ++step) {
    at = variants.at(at->extends);
    way += ", " + at->id;
    if (at == &variant) { return way; }
  }
  return {};
}

}  // namespace

const Climb::Rung* Climb::find(const std::string& id) const {
  const auto rung = std::ranges::find(rungs, id, [](const Rung& one) { return one.variant->id; });
  return rung == rungs.end() ? nullptr : &*rung;
}

std::vector<Climb> climbs(const Catalogue& catalogue) {
  std::map<std::string, std::vector<const KernelFile*>> above;
  for (const KernelFile& file : catalogue.kernels()) {
    if (!file.extends.empty()) { above[file.extends].push_back(&file); }
  }
  std::vector<Climb> list;
  for (const KernelFile& file : catalogue.kernels()) {
    if (file.climb.empty()) { continue; }
    list.push_back({.name = file.climb, .rungs = {}});
    addRungs(file, 0, above, list.back().rungs);
  }
  return list;
}

std::vector<SourceError> clearLooseRungs(std::vector<KernelFile>& kernels) {
  std::vector<SourceError> errors;
  const auto refuse = [&](KernelFile& file, const std::string& message) {
    errors.emplace_back(file.path.string(), file.rungAt, message);
    file.extends.clear();
    file.climb.clear();
  };
  Variants variants;
  for (KernelFile& file : kernels) { variants[file.id] = &file; }
  std::map<std::string, const KernelFile*> names;
  std::vector<const KernelFile*> cut;  // what they led to is reported already
  for (KernelFile& file : kernels) {
    if (!file.extends.empty() && !variants.contains(file.extends)) {
      const auto meant =
          std::ranges::find_if(variants, [&](const auto& one) { return isMisspelling(file.extends, one.first); });
      refuse(file, trf("extends names \"{}\", which is not a variant{}", file.extends,
                       meant == variants.end() ? "" : trf("; did you mean {}?", meant->first)));
      cut.push_back(&file);
    }
    if (file.climb.empty()) { continue; }
    const auto [first, isNew] = names.emplace(file.climb, &file);
    if (!isNew) {
      refuse(file, trf("\"{}\" is the climb of {} already", file.climb, first->second->id));
      cut.push_back(&file);
    }
  }
  for (KernelFile& file : kernels) {
    const std::string circle = circleOf(file, variants);
    if (circle.empty()) { continue; }
    refuse(file, file.extends == file.id ? std::string(tr("a variant cannot extend itself"))
                                         : trf("variants extend each other in a circle: {}", circle));
    cut.push_back(&file);
  }
  for (KernelFile& file : kernels) {
    if (file.extends.empty()) { continue; }
    const KernelFile* root = variants.at(file.extends);
    if (!root->extends.empty() || !root->climb.empty() || std::ranges::find(cut, root) != cut.end()) { continue; }
    refuse(file, trf("extends {0}, whose climb has no name: give {0} a \"climb\", or an \"extends\"", root->id));
    cut.push_back(&file);
  }
  return errors;
}

}  // namespace haloscope
