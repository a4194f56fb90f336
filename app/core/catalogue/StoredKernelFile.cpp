#include "catalogue/StoredKernelFile.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "text/OptionalJson.h"

// Texts that stand for more, and values that are shared. nlohmann's own namespace is where it looks for them.
namespace nlohmann {

template <typename T>
struct adl_serializer<std::shared_ptr<const T>> {
  static void to_json(json& to, const std::shared_ptr<const T>& from) { to = from ? json(*from) : json(nullptr); }
  static void from_json(const json& from, std::shared_ptr<const T>& to) {
    to = from.is_null() ? nullptr : std::make_shared<const T>(from.get<T>());
  }
};
template <>
struct adl_serializer<haloscope::Expression> {
  static void to_json(json& to, const haloscope::Expression& from) { to = from.text(); }
  static void from_json(const json& from, haloscope::Expression& to) {
    to = haloscope::Expression(from.get<std::string>());
  }
};
template <>
struct adl_serializer<haloscope::TapFormula> {
  static void to_json(json& to, const haloscope::TapFormula& from) { to = from.text(); }
  static void from_json(const json& from, haloscope::TapFormula& to) {
    to = haloscope::TapFormula(from.get<std::string>());
  }
};
template <>
struct adl_serializer<haloscope::ValueType> {
  static void to_json(json& to, haloscope::ValueType from) { to = static_cast<int>(from); }
  static void from_json(const json& from, haloscope::ValueType& to) {
    const int number = from.get<int>();
    if (number < 0 || number > static_cast<int>(haloscope::ValueType::Pointer)) {
      throw haloscope::InputError(haloscope::tr("the stored kernel file is damaged: no such type"));
    }
    to = static_cast<haloscope::ValueType>(number);
  }
};

}  // namespace nlohmann

namespace haloscope {

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceRange, line, column, endLine, endColumn)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Dim3, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SizeParameter, name, defaultValue, minimum, maximum, meaning)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tunable, name, defaultValue, minimum, maximum, meaning)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Precision, macro, types)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ArrayDeclaration, name, shape, values, tensorMap, box)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Computes, output, input, weights, coefficients, factors, taps, window, border, steps,
                                   points, guessed, observed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Derivative, coefficients, order)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Definition, border, outputs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SweptProblem::Brush, array, paint, erase)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SweptProblem::Filter, name, weights)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SweptProblem, shows, legend, range, advance, brushes, alternates, residual, filters,
                                   size, pace)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchData, launch, arrays, undefined)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelFile, id, path, text, chapter, title, book, idea, task, hint, kernel, sizes,
                                   tunables, precision, arrays, arguments, grid, block, conditions, dynamicSharedBytes,
                                   cooperative, cluster, leastCapability, computes, definition, problem,
                                   firstDerivative, opPerByte, firstCodeLine, macros, includedBy, data, integers,
                                   assumedArrays)

Json storedFile(const KernelFile& file) { return file; }

KernelFile readStoredFile(const Json& stored) {
  try {
    return stored.get<KernelFile>();
  } catch (const Json::exception& error) {
    throw InputError(trf("the stored kernel file is damaged: {}", error.what()));
  }
}

}  // namespace haloscope
