#include "lessons/StoredLesson.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "text/OptionalJson.h"

namespace haloscope::lessons {

using Json = nlohmann::json;

void to_json(Json& to, const Setting& from) {
  to = {{"kernel", from.kernel}, {"with", from.with}, {"data", from.data}, {"free", from.free}};
  to["block"] = from.block ? Json{from.block->x, from.block->y, from.block->z} : Json();
}
void from_json(const Json& from, Setting& to) {
  from.at("kernel").get_to(to.kernel);
  from.at("with").get_to(to.with);
  from.at("data").get_to(to.data);
  from.at("free").get_to(to.free);
  if (const Json& block = from.at("block"); !block.is_null()) {
    to.block =
        Dim3{block.at(0).get<std::uint32_t>(), block.at(1).get<std::uint32_t>(), block.at(2).get<std::uint32_t>()};
  }
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Span, kind, text, strong, emphasised, link, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Value, expression, format, setting, question)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Option, text, when)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Question, id, kind, ask, because, setting, again, answer, tolerance, unit, options,
                                   look)

namespace {

void expect(bool holds) {
  if (!holds) { throw InputError(tr("the data of this page are damaged")); }
}

/// Numbers of a page may be any: what they point at must be there.
void expectWhole(const Lesson& lesson) {
  const auto expectSpans = [&](const Spans& spans) {
    for (const Span& span : spans) {
      expect(span.kind >= Span::Kind::Text && span.kind <= Span::Kind::Break);
      expect(!span.link || *span.link < lesson.links.size());
      expect(span.kind != Span::Kind::Value || span.value < lesson.values.size());
    }
  };
  for (const Question& question : lesson.questions) {
    expect(question.kind >= Question::Kind::Number && question.kind <= Question::Kind::Line);
    expectSpans(question.ask);
    expectSpans(question.because);
    for (const Option& option : question.options) { expectSpans(option.text); }
    for (const auto& [name, values] : question.again) { expect(!values.empty()); }
  }
}

}  // namespace

Json storedLesson(const Lesson& lesson, const std::function<std::string(const Link&)>& address) {
  Json links = Json::array();
  for (const Link& link : lesson.links) { links.push_back(address(link)); }
  return {{"id", lesson.id},
          {"setting", lesson.setting},
          {"links", std::move(links)},
          {"values", lesson.values},
          {"questions", lesson.questions}};
}

Lesson readStoredLesson(const Json& stored) {
  Lesson lesson;
  try {
    stored.at("id").get_to(lesson.id);
    stored.at("setting").get_to(lesson.setting);
    for (const Json& address : stored.at("links")) { lesson.links.emplace_back().target = address.get<std::string>(); }
    stored.at("values").get_to(lesson.values);
    stored.at("questions").get_to(lesson.questions);
  } catch (const Json::exception&) { throw InputError(tr("the data of this page are damaged")); }
  expectWhole(lesson);
  return lesson;
}

}  // namespace haloscope::lessons
