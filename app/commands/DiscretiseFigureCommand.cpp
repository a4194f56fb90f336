#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands/FigureCommands.h"
#include "commands/FigureOptions.h"
#include "figures/DerivativeErrors.h"
#include "figures/SineSamples.h"
#include "program/Catalogue.h"
#include "program/Precision.h"

/// `haloscope figure discretise`: the sampled sine, and the errors of finite differences.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::DerivativeKernel;
using figures::ErrorCurve;
using figures::SineSamples;

struct DiscretiseOptions {
  FigureOptions figure;
  bool json = false;
};

Json toJson(const SineSamples& samples) {
  Json points = Json::array();
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    points.push_back({{"x", samples.x[i]}, {"sine", samples.values[i]}, {"cosine", std::cos(samples.x[i])}});
  }
  for (const figures::SampledSlopes& one : samples.slopes) {
    for (std::size_t i = 0; i < one.slopes.values.size(); ++i) {
      points[static_cast<std::size_t>(one.slopes.first) + i]["executed"][one.kernel] = one.slopes.values[i];
    }
  }
  return {{"type", realTypeName(samples.type)},
          {"spacing", samples.spacing},
          {"linear_error", samples.linearError},
          {"spline_error", samples.splineError},
          {"points", std::move(points)}};
}

Json toJson(const ErrorCurve& curve) {
  Json errors = Json::array();
  for (const figures::DerivativeError& one : curve.errors) {
    errors.push_back(
        {{"intervals", one.intervals}, {"spacing", one.spacing}, {"error", one.error}, {"fitted", one.fitted}});
  }
  return {{"kernel", curve.kernel},
          {"type", realTypeName(curve.type)},
          {"order", curve.order},
          {"measured_order", curve.measured ? Json(*curve.measured) : Json(nullptr)},
          {"fitted_points", curve.fittedPoints()},
          {"rounding_below_spacing", curve.errors.empty() ? Json(nullptr) : Json(curve.errors[curve.finest].spacing)},
          {"errors", std::move(errors)}};
}

/// Seven places; what rounds to zero has no sign.
std::string decimals(double value) {
  const std::string text = fmt::format("{:.7f}", value);
  return text == "-0.0000000" ? text.substr(1) : text;
}

void print(const SineSamples& samples) {
  fmt::print("the sine at {} points from 0 to pi, {:.6g} apart, derivatives in {}\n", samples.x.size(), samples.spacing,
             realTypeName(samples.type));
  fmt::print("largest distance from it: {:.3g} linear, {:.3g} natural cubic spline\n", samples.linearError,
             samples.splineError);
  fmt::print("{:>10}{:>12}{:>12}", "x", "sine", "cosine");
  for (const figures::SampledSlopes& one : samples.slopes) {
    fmt::print("{:>12}", fmt::format("{} points", one.points));
  }
  fmt::print("   (executed)\n");
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    fmt::print("{:>10.5f}{:>12}{:>12}", samples.x[i], decimals(samples.values[i]), decimals(std::cos(samples.x[i])));
    for (const figures::SampledSlopes& one : samples.slopes) {
      const std::int64_t at = static_cast<std::int64_t>(i) - one.slopes.first;
      const bool has = at >= 0 && at < static_cast<std::int64_t>(one.slopes.values.size());
      fmt::print("{:>12}", has ? decimals(one.slopes.values[static_cast<std::size_t>(at)]) : "-");
    }
    fmt::print("\n");
  }
  for (const figures::SampledSlopes& one : samples.slopes) {
    if (one.slopes.values.empty()) {
      fmt::print("{} points: no sample has all its neighbours\n", one.points);
      continue;
    }
    fmt::print("{} points: largest error {:.2g} at {} of {} samples{}\n", one.points, one.largestError,
               one.slopes.values.size(), samples.x.size(),
               one.onlyMiddle ? ", the middle one, where the formula is exact by symmetry but for rounding" : "");
  }
}

void print(const std::vector<ErrorCurve>& curves) {
  fmt::print("\nlargest error over one period, executed on the emulator\n");
  fmt::print("{:<32}{:<8}{:>6}{:>10}{:>8}   {:<22}{}\n", "kernel", "type", "order", "measured", "points",
             "smallest error", "at spacing");
  for (const ErrorCurve& curve : curves) {
    fmt::print("{:<32}{:<8}{:>6}{:>10}{:>8}   ", curve.kernel, realTypeName(curve.type), curve.order,
               curve.measured ? fmt::format("{:.3f}", *curve.measured) : "-", curve.fittedPoints());
    if (!curve.errors.empty()) {
      fmt::print("{:<22.3g}{:.3g}", curve.errors[curve.finest].error, curve.errors[curve.finest].spacing);
    }
    fmt::print("\n");
  }
  fmt::print(
      "measured from a spacing of pi/6 on, while the error is above what rounding can add; - : fewer than {} "
      "such points\n",
      figures::kFewestFitted);
}

}  // namespace

FigureRun addDiscretiseFigure(CLI::App& command) {
  const auto options = std::make_shared<DiscretiseOptions>();
  addFigureOptions(command, "discretise", options->figure);
  command.add_flag("--json", options->json, "Print one JSON document");
  return [options](const Catalogue& catalogue) {
    std::vector<DerivativeKernel> kernels;
    for (const KernelFile* file : figures::derivativeFiles(catalogue)) {
      for (const ValueType type : file->precision->types) { kernels.emplace_back(*file, type); }
    }
    if (kernels.empty()) {
      throw InputError("no kernel of the catalogue says in its header that it is a first derivative");
    }
    const SineSamples samples =
        figures::sampleSine(options->figure.points, realTypeNamed(options->figure.type.value_or("double")), kernels);
    std::vector<ErrorCurve> curves;
    for (const DerivativeKernel& kernel : kernels) { curves.push_back(figures::measureErrors(kernel)); }
    if (options->json) {
      Json list = Json::array();
      for (const ErrorCurve& curve : curves) { list.push_back(toJson(curve)); }
      std::cout << Json{{"samples", toJson(samples)}, {"curves", std::move(list)}}.dump(2) << '\n';
    } else {
      print(samples);
      print(curves);
    }
    return ExitCode::Good;
  };
}

}  // namespace haloscope
