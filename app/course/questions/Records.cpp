#include "questions/Records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "language/Text.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

namespace haloscope::questions {

namespace {

using Json = nlohmann::json;

Json readAsset(const std::filesystem::path& name) {
  const std::filesystem::path path = resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / name;
  std::ifstream file(path);
  if (!file) { throw InputError(trf("{} cannot be read", path.string())); }
  Json document = Json::parse(file, nullptr, false);
  if (document.is_discarded()) { throw InputError(trf("{} is not JSON", path.string())); }
  return document;
}

/// The last words behind commas; what is before them, which may have commas of its own, comes first.
std::vector<std::string> wordsOf(const std::string& arguments, std::size_t count, const char* form) {
  std::vector<std::string> words(count);
  std::string rest = arguments;
  for (std::size_t i = count; i-- > 0;) {
    const std::size_t comma = i == 0 ? std::string::npos : rest.rfind(',');
    if (i > 0 && comma == std::string::npos) { throw InputError(trf("write {}", form)); }
    const std::string word = i == 0 ? rest : rest.substr(comma + 1);
    const std::size_t first = word.find_first_not_of(' ');
    if (first == std::string::npos) { throw InputError(trf("write {}", form)); }
    words[i] = word.substr(first, word.find_last_not_of(' ') - first + 1);
    if (i > 0) { rest.resize(comma); }
  }
  return words;
}

/// The object of a list whose member `key` is `name`.
const Json& named(const Json& list, const char* key, const std::string& name) {
  std::vector<std::string> known;
  for (const Json& one : list) {
    const std::string other = one.value(key, "");
    if (other == name) { return one; }
    known.push_back(other);
  }
  throw InputError(trf("there is no \"{}\" among {}", name, fmt::format("{}", fmt::join(known, "; "))));
}

/// "median_ms"; "counters.l2_read_sectors" is within an object, "stalls.barrier.cycles" of the one with this metric.
double fieldOf(const Json& object, const std::string& field) {
  const std::size_t dot = field.find('.');
  const auto found = object.is_object() ? object.find(field.substr(0, dot)) : object.end();
  if (object.is_object() && found != object.end()) {
    if (dot != std::string::npos && found->is_array()) {
      const std::size_t end = field.find('.', dot + 1);
      const Json& one = named(*found, "metric", field.substr(dot + 1, end == std::string::npos ? end : end - dot - 1));
      return fieldOf(one, end == std::string::npos ? "" : field.substr(end + 1));
    }
    if (dot != std::string::npos) { return fieldOf(*found, field.substr(dot + 1)); }
    if (found->is_number()) { return found->get<double>(); }
  }
  std::vector<std::string> known;
  for (const auto& [name, value] : object.items()) {
    if (value.is_number() || value.is_structured()) { known.push_back(name); }
  }
  throw InputError(trf("there is no number \"{}\"; there are {}", field, fmt::format("{}", fmt::join(known, ", "))));
}

}  // namespace

double recordedNumber(const std::string& arguments) {
  static const std::array kRecordings = {readAsset("recorded/h200_default_tiles.json"),
                                         readAsset("recorded/h200_limit.json"),
                                         readAsset("recorded/h200_small_convolution.json")};
  const std::vector<std::string> words = wordsOf(arguments, 3, "recorded(CLASS, VARIANT, FIELD)");
  Json classes = Json::array(), variants = Json::array();  // for the message, if there is no such number
  for (const Json& recording : kRecordings) {
    for (const Json& one : recording.at("classes")) {
      classes.push_back({{"class", one.at("class")}});
      if (one.at("class") != words[0]) { continue; }
      for (const Json& variant : one.at("variants")) {
        if (variant.at("id") == words[1]) { return fieldOf(variant, words[2]); }
        variants.push_back({{"id", variant.at("id")}});
      }
    }
  }
  static_cast<void>(named(classes, "class", words[0]));
  return fieldOf(named(variants, "id", words[1]), words[2]);
}

double dataSheetNumber(const std::string& arguments) {
  static const Json kGpus = readAsset("gpus.json");
  const std::vector<std::string> words = wordsOf(arguments, 2, "gpu(NAME, FIELD)");
  return fieldOf(named(kGpus.at("gpus"), "name", words[0]), words[1]);
}

}  // namespace haloscope::questions
