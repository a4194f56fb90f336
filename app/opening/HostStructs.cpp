#include "opening/HostStructs.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace haloscope::opening {

namespace {

using Tokens = HostStructs::Tokens;

/// The tokens from `at` up to a `;`, a `,` or an unmatched closing bracket, to which `at` is moved.
Tokens expressionFrom(const Tokens& tokens, std::size_t& at) {
  Tokens taken;
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (depth == 0 && (tokens[at] == ";" || tokens[at] == "," || closes(tokens[at]))) { break; }
    depth += opens(tokens[at]) ? 1 : (closes(tokens[at]) ? -1 : 0);
    taken.push_back(tokens[at]);
  }
  return taken;
}

/// The parts between commas inside the first bracket of an expression.
std::vector<Tokens> insideBracket(const Tokens& expression) {
  std::vector<Tokens> parts;
  std::size_t at = 0;
  while (at < expression.size() && !opens(expression[at])) { ++at; }
  while (at < expression.size()) {
    parts.push_back(expressionFrom(expression, ++at));
    if (at >= expression.size() || expression[at] != ",") { break; }
  }
  return parts;
}

/// int3, float4, dim3: x, y, z, w.
bool isVector(const std::string& type) {
  constexpr auto kScalars = std::to_array<std::string_view>(
      {"char", "uchar", "short", "ushort", "int", "uint", "float", "double", "longlong", "ulonglong", "long", "ulong"});
  if (type == "dim3") { return true; }
  if (type.size() < 2 || type.back() < '1' || type.back() > '4') { return false; }
  return std::ranges::find(kScalars, std::string_view(type).substr(0, type.size() - 1)) != kScalars.end();
}

}  // namespace

HostStructs::HostStructs(const Tokens& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i] == "struct" && isIdentifier(tokens[i + 1]) && tokens[i + 2] == "{") { readDefinition(tokens, i + 1); }
  }
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool known = types_.contains(tokens[i]) || isVector(tokens[i]);
    if (known && isIdentifier(tokens[i + 1])) { readVariable(tokens, i); }
    if (!isIdentifier(tokens[i]) || tokens[i + 1] != ".") { continue; }
    std::string path = tokens[i];
    std::size_t at = i + 1;
    while (at + 1 < tokens.size() && tokens[at] == "." && isIdentifier(tokens[at + 1])) {
      path += "." + tokens[at + 1];
      at += 2;
    }
    if (at < tokens.size() && tokens[at] == "=") {
      ++at;
      assigned_[path].push_back(expressionFrom(tokens, at));
    }
  }
}

void HostStructs::readDefinition(const Tokens& tokens, std::size_t at) {
  std::vector<Field>& fields = types_[tokens[at]];
  if (!fields.empty()) { return; }
  std::size_t end = at + 2;
  while (end < tokens.size() && tokens[end] != "}") {
    // One declaration: type, then names with extents or initialisers. Members after a member function are not read.
    Tokens declaration;
    for (; end < tokens.size() && tokens[end] != ";"; ++end) {
      if (tokens[end] == "(" || tokens[end] == "}") { return; }
      declaration.push_back(tokens[end]);
    }
    ++end;
    std::string type;
    std::size_t next = 0;
    while (next < declaration.size()) {
      const Tokens part = expressionFrom(declaration, next);
      ++next;
      const auto stop = std::ranges::find_if(part, [](const auto& t) { return t == "[" || t == "=" || t == "{"; });
      if (stop == part.begin() || !isIdentifier(*(stop - 1))) { continue; }
      if (type.empty() && stop - part.begin() > 1) { type = *(stop - 2); }
      fields.push_back({type, *(stop - 1)});
    }
  }
}

void HostStructs::readVariable(const Tokens& tokens, std::size_t at) {
  const std::string& type = tokens[at];
  std::size_t begin = at + 2;
  if (tokens[begin] != "=" && tokens[begin] != "{" && tokens[begin] != "(") { return; }
  if (tokens[begin] == "=") { ++begin; }
  variables_.try_emplace(tokens[at + 1], type, expressionFrom(tokens, begin));
}

std::vector<Tokens> HostStructs::member(const Tokens& structure, const std::string& path) const {
  std::vector<Tokens> found;
  const auto add = [&](const std::optional<Tokens>& value) {
    if (value) { found.push_back(*value); }
  };
  if (structure.size() == 1) {
    if (const auto given = assigned_.find(structure[0] + "." + path); given != assigned_.end()) {
      found = given->second;
    }
    if (const auto variable = variables_.find(structure[0]); variable != variables_.end()) {
      add(element(variable->second.second, variable->second.first, path));
    }
  } else if (!structure.empty()) {
    const std::string& maker = structure[0];
    add(element(structure, maker.starts_with("make_") ? maker.substr(5) : maker, path));
  }
  return found;
}

std::optional<Tokens> HostStructs::assigned(const std::string& path) const {
  const auto known = assigned_.find(path);
  return known == assigned_.end() ? std::nullopt : std::optional(known->second.front());
}

std::optional<Tokens> HostStructs::element(const Tokens& structure, const std::string& type,
                                           const std::string& path) const {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string name = path.substr(0, dot);
  std::size_t index = 0;
  std::string inner;
  if (isVector(type)) {
    index = std::string_view("xyzw").find(name);
  } else {
    const auto known = types_.find(type);
    if (known == types_.end()) { return std::nullopt; }
    const auto field = std::ranges::find(known->second, name, &Field::name);
    if (field == known->second.end()) { return std::nullopt; }
    index = static_cast<std::size_t>(field - known->second.begin());
    inner = field->type;
  }
  const std::vector<Tokens> parts = insideBracket(structure);
  std::optional<Tokens> value;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool named = parts[i].size() > 2 && parts[i][0] == "." && parts[i][2] == "=";  // {.nx = 64}
    if (named && parts[i][1] == name) { value = Tokens(parts[i].begin() + 3, parts[i].end()); }
    if (!named && i == index && !parts[i].empty()) { value = parts[i]; }
  }
  if (!value || dot == path.size()) { return value; }
  return value->size() == 1 ? std::nullopt : element(*value, inner, path.substr(dot + 1));
}

}  // namespace haloscope::opening
