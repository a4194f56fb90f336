#include "simt/RegisterLayout.h"

#include "simt/LiveRanges.h"

namespace haloscope::simt {
namespace {

/// Allocates temporaries from a pool; a slot is free again after the last use of its temporary.
class TemporaryPool {
 public:
  explicit TemporaryPool(std::uint32_t begin) : end_(begin) {}

  [[nodiscard]] std::uint32_t place(std::uint32_t bytes, const LiveRange& range) {
    for (Place& place : places_) {
      if (place.bytes == bytes && place.busyUntil < range.firstUse) {
        place.busyUntil = range.end;
        return place.offset;
      }
    }
    places_.push_back({end_, bytes, range.end});
    end_ += bytes;
    return places_.back().offset;
  }
  [[nodiscard]] std::uint32_t end() const { return end_; }
  void listSlots(std::vector<RegisterLayout::Slot>& slots) const {
    for (const Place& place : places_) { slots.push_back({place.offset | kSharedOperand, place.bytes / kWarpSize}); }
  }

 private:
  struct Place {
    std::uint32_t offset;
    std::uint32_t bytes;
    std::uint32_t busyUntil;
  };
  std::vector<Place> places_;
  std::uint32_t end_;
};

std::uint32_t registerBytes(const Register& reg) {
  return static_cast<std::uint32_t>(sizeInRegister(reg.type)) * kWarpSize;
}

bool differsBetweenWarps(Builtin builtin) { return vectorOf(builtin) == Builtin::ThreadIdxX; }

class LayoutBuilder {
 public:
  LayoutBuilder(const Program& program, const Structure& structure) : program_(program), structure_(structure) {
    layout_.operands.assign(program.registers.size(), 0);
    layout_.written.assign(program.registers.size(), false);
    for (const Instruction& instruction : program.code) {
      if (instruction.dst != kNone) { layout_.written.at(instruction.dst) = true; }
    }
  }

  RegisterLayout build(bool reuseTemporaries) {
    placeInputs();
    placeVariables();
    if (!reuseTemporaries) {
      forEach(RegisterKind::Temporary, [this](RegisterId reg) { own(reg); });
      nameOperands();
      return std::move(layout_);
    }
    nameOperands();
    placeTemporaries();
    return std::move(layout_);
  }

 private:
  template <class Do>
  void forEach(RegisterKind kind, const Do& what) const {
    for (RegisterId reg = 0; reg < program_.registers.size(); ++reg) {
      if (program_.registers[reg].kind == kind) { what(reg); }
    }
  }

  void share(RegisterId reg) {
    layout_.operands[reg] = layout_.sharedBytes | kSharedOperand;
    layout_.sharedBytes += registerBytes(program_.registers[reg]);
  }
  void own(RegisterId reg) {
    layout_.operands[reg] = layout_.warpBytes;
    layout_.slots.push_back({layout_.warpBytes, registerBytes(program_.registers[reg]) / kWarpSize});
    layout_.warpBytes += registerBytes(program_.registers[reg]);
  }

  void placeInputs() {
    forEach(RegisterKind::Constant, [this](RegisterId reg) { share(reg); });
    forEach(RegisterKind::Builtin, [this](RegisterId reg) {
      if (differsBetweenWarps(program_.registers[reg].builtin)) {
        own(reg);
      } else {
        share(reg);
      }
    });
  }

  void placeVariables() {
    std::vector<bool> isParameter(program_.registers.size(), false);
    for (const Variable& variable : program_.variables) {
      if (variable.parameter && variable.reg != kNone) { isParameter.at(variable.reg) = true; }
    }
    layout_.variablesBegin = layout_.warpBytes;
    forEach(RegisterKind::Variable, [&](RegisterId reg) {
      if (isParameter[reg] && !layout_.written[reg]) {
        share(reg);
      } else {
        own(reg);
      }
    });
    layout_.variablesEnd = layout_.warpBytes;
  }

  void nameOperands() {
    const auto operand = [this](RegisterId reg) { return reg == kNone ? Operand{0} : layout_.operands.at(reg); };
    for (const Instruction& instruction : program_.code) {
      layout_.ofInstruction.push_back(
          {operand(instruction.dst), operand(instruction.a), operand(instruction.b), operand(instruction.c)});
    }
  }

  void placeTemporaries() {
    TemporaryPool pool(layout_.sharedBytes);
    for (const LiveRange& range : findLiveRanges(program_, structure_)) {
      const std::uint32_t bytes = registerBytes(program_.registers[range.reg]);
      Operand operand = layout_.warpBytes;
      if (range.outlivesTurn) {
        layout_.slots.push_back({operand, bytes / kWarpSize});
        layout_.warpBytes += bytes;
      } else {
        operand = pool.place(bytes, range) | kSharedOperand;
      }
      layout_.operands[range.reg] = operand;
      for (std::uint32_t at = range.firstUse; at <= range.lastUse; ++at) {
        const Instruction& instruction = program_.code[at];
        std::array<Operand, 4>& named = layout_.ofInstruction[at];
        if (instruction.dst == range.reg) { named[0] = operand; }
        if (instruction.a == range.reg) { named[1] = operand; }
        if (instruction.b == range.reg) { named[2] = operand; }
        if (instruction.c == range.reg) { named[3] = operand; }
      }
    }
    layout_.sharedBytes = pool.end();
    pool.listSlots(layout_.slots);
  }

  const Program& program_;
  const Structure& structure_;
  RegisterLayout layout_;
};

}  // namespace

RegisterLayout layoutRegisters(const Program& program, const Structure& structure, bool reuseTemporaries) {
  return LayoutBuilder(program, structure).build(reuseTemporaries);
}

}  // namespace haloscope::simt
