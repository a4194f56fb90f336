#include "recording/RecordingAgreement.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "language/Text.h"
#include "program/Half.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"

namespace haloscope::recording {

namespace {

/// One access of one lane, or one assignment, with what distinguishes it from the others of its interval.
struct Deed {
  std::uint32_t interval = 0;
  bool variable = false;
  std::uint32_t what = 0;  ///< instruction, or variable
  std::uint32_t thread = 0;
  std::uint32_t turn = 0;  ///< how often the thread did it before in this interval
  std::uint32_t object = kNone;
  std::int64_t element = 0;
  std::uint64_t bits = 0;
  std::uint32_t step = 0;
  bool uncertain = false;      ///< depends on the order in which threads came to an atomic operation
  bool indeterminate = false;  ///< an uninitialised value: whatever was in the memory or register

  [[nodiscard]] auto key() const { return std::tuple(interval, variable, what, thread, turn); }
};

std::vector<Deed> deedsOf(const Recording& recording) {
  std::vector<Deed> deeds;
  for (std::uint32_t step = 0; step < recording.steps.size(); ++step) {
    const std::uint32_t interval = recording.steps[step].interval;
    std::set<std::uint32_t> uncertain;  // threads with an atomic operation in this step
    for (const AccessGroup& group : recording.accessesOf(step)) {
      std::uint32_t entry = group.first;
      for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1, ++entry) {
        const std::uint32_t thread = group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
        const std::uint64_t bits = recording.values[entry];
        const Instruction& instruction = recording.program->code[group.instruction];
        const bool atomic = isAtomic(instruction.op);
        if (atomic) { uncertain.insert(thread); }
        deeds.push_back({interval, false, group.instruction, thread, 0, group.object, recording.elements[entry], bits,
                         step, atomic, isPoison(instruction.type, bits)});
      }
    }
    for (const Change& change : recording.changesOf(step)) {
      if (change.kind != Change::Kind::Variable) { continue; }
      deeds.push_back({interval, true, change.id, change.thread, 0, kNone, 0, change.after, step,
                       uncertain.contains(change.thread), change.originAfter.kind == Origin::Kind::Unwritten});
    }
  }
  std::ranges::stable_sort(deeds, {}, [](const Deed& one) { return one.key(); });
  for (std::size_t i = 1; i < deeds.size(); ++i) {
    const Deed& before = deeds[i - 1];
    Deed& now = deeds[i];
    const bool again = before.interval == now.interval && before.variable == now.variable && before.what == now.what &&
                       before.thread == now.thread;
    if (again) { now.turn = before.turn + 1; }
  }
  return deeds;
}

/// Distance of two values in units in the last place; infinite where one is not a number.
double ulps(ValueType type, std::uint64_t a, std::uint64_t b) {
  const auto distance = [](auto x, auto y, auto ordered) {
    return std::isnan(x) || std::isnan(y) ? INFINITY
                                          : std::abs(static_cast<double>(ordered(x)) - static_cast<double>(ordered(y)));
  };
  if (type == ValueType::F32) {
    const auto ordered = [](float value) {
      const auto bits = std::bit_cast<std::int32_t>(value);
      return static_cast<std::int64_t>(bits < 0 ? std::int32_t{-0x7fffffff - 1} - bits : bits);
    };
    return distance(std::bit_cast<float>(static_cast<std::uint32_t>(a)),
                    std::bit_cast<float>(static_cast<std::uint32_t>(b)), ordered);
  }
  if (type == ValueType::F16) {
    const auto ordered = [](float value) {
      const auto bits = static_cast<std::int16_t>(halfBits(value));
      return bits < 0 ? -0x8000 - bits : int{bits};
    };
    return distance(halfValue(static_cast<std::uint16_t>(a)), halfValue(static_cast<std::uint16_t>(b)), ordered);
  }
  if (type == ValueType::F64) {
    const auto ordered = [](double value) {
      const auto bits = std::bit_cast<std::int64_t>(value);
      return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
    };
    return distance(std::bit_cast<double>(a), std::bit_cast<double>(b), ordered);
  }
  return INFINITY;
}

class RecordingComparer {
 public:
  RecordingComparer(const Recording& first, const Recording& second) : first_(first), second_(second) {}

  RecordingAgreement compare() {
    result_.intervals = std::max(first_.intervals.size(), second_.intervals.size());
    compareDeeds();
    compareShared();
    if (first_.intervals.size() != second_.intervals.size()) {
      ++result_.missing;
      const std::size_t step = second_.steps.empty() ? 0 : second_.steps.size() - 1;
      part(step, kNone,
           trf("the block passes {} barrier intervals on the emulator and {} on the GPU", first_.intervals.size(),
               second_.intervals.size()));
    }
    return result_;
  }

 private:
  [[nodiscard]] const Program& program() const { return *first_.program; }

  [[nodiscard]] ValueType typeOf(const Deed& deed) const {
    return deed.variable ? program().registers[program().variables[deed.what].reg].type
                         : program().code[deed.what].type;
  }

  [[nodiscard]] std::string nameOf(const Deed& deed) const {
    if (deed.variable) { return program().variables[deed.what].name; }
    return formatElement(program().objects[deed.object].name, first_.extents[deed.object], deed.element);
  }

  void part(std::size_t step, std::uint32_t statement, std::string sentence) {
    if (result_.first && result_.first->step <= step) { return; }
    SourceRange where;
    if (statement != kNone) { where = program().statements[statement].range; }
    result_.first = {step, where, std::move(sentence)};
  }

  /// `distance`: of two values, in units in the last place.
  void countDifference(double distance) {
    ++result_.different;
    if (std::isfinite(distance)) {
      result_.maxUlps = std::max(result_.maxUlps, distance);
    } else {
      ++result_.elsewhere;
    }
  }

  void compareDeeds() {
    const std::vector<Deed> a = deedsOf(first_), b = deedsOf(second_);
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
      const bool onlyFirst = j == b.size() || (i < a.size() && a[i].key() < b[j].key());
      const bool onlySecond = i == a.size() || (j < b.size() && b[j].key() < a[i].key());
      if (onlyFirst || onlySecond) {
        const Deed& deed = onlyFirst ? a[i++] : b[j++];
        ++result_.missing;
        const std::size_t step = onlySecond ? deed.step : stepOfInterval(deed.interval);
        part(step, onlySecond ? second_.steps[deed.step].statement : first_.steps[deed.step].statement,
             deed.variable && onlyFirst ? trf("thread {} assigns {} on the emulator only", deed.thread, nameOf(deed))
             : deed.variable            ? trf("thread {} assigns {} on the GPU only", deed.thread, nameOf(deed))
             : onlyFirst                ? trf("thread {} accesses {} on the emulator only", deed.thread, nameOf(deed))
                                        : trf("thread {} accesses {} on the GPU only", deed.thread, nameOf(deed)));
        continue;
      }
      compareValues(a[i++], b[j++]);
    }
  }

  void compareValues(const Deed& a, const Deed& b) {
    ++(a.variable ? result_.assignments : result_.accesses);
    const bool sameElement = a.object == b.object && a.element == b.element;
    if (sameElement && a.bits == b.bits) { return; }
    if (sameElement && (a.indeterminate || a.uncertain)) {
      ++(a.uncertain ? result_.uncertain : result_.indeterminate);
      return;
    }
    countDifference(sameElement ? ulps(typeOf(a), a.bits, b.bits) : INFINITY);
    part(b.step, second_.steps[b.step].statement,
         sameElement
             ? trf("thread {}: {} is {} on the emulator and {} on the GPU", b.thread, nameOf(a),
                   formatExact(typeOf(a), a.bits), formatExact(typeOf(a), b.bits))
             : trf("thread {}: it accesses {} on the emulator and {} on the GPU", b.thread, nameOf(a), nameOf(b)));
  }

  [[nodiscard]] std::size_t stepOfInterval(std::uint32_t interval) const {
    return interval < second_.intervals.size() ? second_.intervals[interval].firstStep
           : second_.steps.empty()             ? 0
                                               : second_.steps.size() - 1;
  }

  void compareShared() {
    Cursor a(std::shared_ptr<const Recording>(std::shared_ptr<void>(), &first_));
    Cursor b(std::shared_ptr<const Recording>(std::shared_ptr<void>(), &second_));
    for (std::size_t interval = 0; interval < std::min(first_.intervals.size(), second_.intervals.size()); ++interval) {
      a.goTo(first_.intervals[interval].endStep);
      b.goTo(second_.intervals[interval].endStep);
      for (ObjectId id = 0; id < program().objects.size(); ++id) {
        if (program().objects[id].space != MemorySpace::Shared) { continue; }
        const auto &left = a.shared(id), &right = b.shared(id);
        for (std::size_t element = 0; element < std::min(left.size(), right.size()); ++element) {
          ++result_.sharedValues;
          if (left[element].bits == right[element].bits) { continue; }
          if (left[element].origin.kind == Origin::Kind::Unwritten) {
            ++result_.indeterminate;
            continue;
          }
          const ValueType type = program().objects[id].element;
          countDifference(ulps(type, left[element].bits, right[element].bits));
          const std::size_t end = second_.intervals[interval].endStep;
          part(end == 0 ? 0 : end - 1, kNone,
               trf("at the end of barrier interval {} {} is {} on the emulator and {} on the GPU", interval,
                   formatElement(program().objects[id].name, first_.extents[id], static_cast<std::int64_t>(element)),
                   formatExact(type, left[element].bits), formatExact(type, right[element].bits)));
        }
      }
    }
  }

  const Recording& first_;
  const Recording& second_;
  RecordingAgreement result_;
};

}  // namespace

RecordingAgreement compare(const Recording& first, const Recording& second) {
  if (first.program != second.program || first.configuration != second.configuration || first.block != second.block) {
    throw InputError(tr("Only recordings of one block of one launch can be compared."));
  }
  return RecordingComparer(first, second).compare();
}

}  // namespace haloscope::recording
