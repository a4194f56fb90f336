#include "questions/Quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "questions/CellSets.h"
#include "questions/CompiledCode.h"
#include "questions/Execution.h"
#include "recording/BlockTally.h"

namespace haloscope::questions {

namespace {

using analysis::Counts;
using analysis::RequestTotals;
using recording::GridPoint;

double number(std::integral auto value) { return static_cast<double>(value); }

const Counts& grid(Execution& execution) { return execution.counted().grid; }
const Counts& block(Execution& execution) { return execution.interior().block.counts; }
const RequestTotals& requests(Execution& execution) { return execution.counted().requests.all; }

/// Elements of global memory, by threads: one that two threads load counts twice.
double globalElements(Execution& execution, const Counts& counts, std::uint64_t analysis::ObjectCounts::* which) {
  const Program& program = execution.program();
  std::uint64_t sum = 0;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space == MemorySpace::Global) { sum += counts.objects[object].*which; }
  }
  return number(sum);
}

/// Of the requests to global memory those that load, or those that store.
double ofAccesses(Execution& execution, bool stores, std::uint64_t RequestTotals::* which) {
  const std::vector<RequestTotals>& totals = execution.counted().requests.instructions;
  const std::vector<Instruction>& code = execution.program().code;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (isAccess(code[i].op) && writesMemory(code[i].op) == stores) { sum += totals[i].*which; }
  }
  return number(sum);
}

double points(Execution& execution) {
  std::int64_t product = 1;
  for (const std::int64_t extent : execution.outputExtents()) { product *= extent; }
  return number(product);
}

double inside(Execution& execution) {
  const figures::InteriorCount& interior = execution.interior();
  return std::round(number(interior.inputs) * (1 - interior.block.haloFraction.value_or(0)));
}

double barriers(Execution& execution) {
  const std::uint32_t warps = execution.configuration().warpsPerBlock();
  return number(block(execution).barriers) / number(warps);
}

double order(Execution& execution) {
  std::int64_t farthest = 0;
  for (const GridPoint& tap : execution.taps()) {
    farthest = std::max({farthest, std::abs(tap.z), std::abs(tap.y), std::abs(tap.x)});
  }
  return number(farthest);
}

double bytesPerElement(Execution& execution) {
  return number(sizeInMemory(execution.program().objects[execution.output()].element));
}

/// Of the block that block.inputs is counted for.
double unusedByBlock(Execution& execution) {
  experiment::Choice choice{execution.file().id, execution.interior().block.bindings};
  choice.block = experiment::innerBlock(execution.file().configuration(choice.bindings).grid);
  Execution interior(execution.file(), choice);
  return number(unusedCells(interior).cells.size());
}

double registersOfPoints(Execution& execution) {
  return number(
      std::ranges::count(execution.recorded().carriers, recording::Carrier::Kind::Register, &recording::Carrier::kind));
}

double formula(Execution& execution) {
  if (!execution.file().opPerByte) {
    throw InputError(trf("{}: its header states no formula for OP/B", execution.file().id));
  }
  return execution.file().opPerByte->evaluate(execution.bindings());
}

constexpr auto kQuantities =
    std::to_array<Quantity>({
        // The launch.
        Quantity{"grid.x", trMark("blocks along x"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().grid.x); }},
        Quantity{"grid.y", trMark("blocks along y"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().grid.y); }},
        Quantity{"grid.z", trMark("blocks along z"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().grid.z); }},
        Quantity{"blocks", trMark("blocks of the grid"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().grid.count()); }},
        Quantity{"block.x", trMark("threads of a block along x"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().block.x); }},
        Quantity{"block.y", trMark("threads of a block along y"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().block.y); }},
        Quantity{"block.z", trMark("threads of a block along z"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().block.z); }},
        Quantity{"threads", trMark("threads of a block"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().threadsPerBlock()); }},
        Quantity{"warps", trMark("warps of a block"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().warpsPerBlock()); }},
        Quantity{"all_threads", trMark("threads of the grid"), Origin::Launch,
                 [](Execution& e) { return number(e.configuration().grid.count() * e.configuration().block.count()); }},
        // What the whole launch did.
        Quantity{"executed.blocks", trMark("blocks that ran"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).blocks); }},
        Quantity{"executed.threads", trMark("threads that ran"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).threads); }},
        Quantity{"flops", trMark("floating-point operations"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).flops); }},
        Quantity{"multiplications", trMark("multiplications of floating-point numbers"), Origin::Executed,
                 [](Execution& e) { return number(e.products().all); }},
        Quantity{"multiplications.by_zero", trMark("of these, with a factor that is 0"), Origin::Executed,
                 [](Execution& e) { return number(e.products().byZero); }},
        Quantity{"loads", trMark("elements loaded from global memory, by all threads"), Origin::Executed,
                 [](Execution& e) { return globalElements(e, grid(e), &analysis::ObjectCounts::loads); }},
        Quantity{"stores", trMark("elements stored to global memory, by all threads"), Origin::Executed,
                 [](Execution& e) { return globalElements(e, grid(e), &analysis::ObjectCounts::stores); }},
        Quantity{"load_bytes", trMark("bytes loaded from global memory"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).traffic.globalLoad); }},
        Quantity{"store_bytes", trMark("bytes stored to global memory"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).traffic.globalStore); }},
        Quantity{"constant_bytes", trMark("bytes loaded from constant memory"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).traffic.constantLoad); }},
        Quantity{"shared_load_bytes", trMark("bytes loaded from shared memory"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).traffic.sharedLoad); }},
        Quantity{"shared_store_bytes", trMark("bytes stored to shared memory"), Origin::Executed,
                 [](Execution& e) { return number(grid(e).traffic.sharedStore); }},
        Quantity{"outputs", trMark("distinct output elements written"), Origin::Executed,
                 [](Execution& e) { return points(e) - number(e.kept().size()); }},
        Quantity{"points", trMark("elements of the output array"), Origin::Launch, points},
        Quantity{"kept", trMark("output elements that keep their value"), Origin::Executed,
                 [](Execution& e) { return number(e.kept().size()); }},
        Quantity{"sectors.load", trMark("32-byte sectors that loads from global memory ask for"), Origin::Executed,
                 [](Execution& e) { return ofAccesses(e, false, &RequestTotals::sectors); }},
        Quantity{"sectors.store", trMark("32-byte sectors that stores to global memory ask for"), Origin::Executed,
                 [](Execution& e) { return ofAccesses(e, true, &RequestTotals::sectors); }},
        Quantity{"requests.load", trMark("load requests of warps to global memory"), Origin::Executed,
                 [](Execution& e) { return ofAccesses(e, false, &RequestTotals::globalRequests); }},
        Quantity{"requests.store", trMark("store requests of warps to global memory"), Origin::Executed,
                 [](Execution& e) { return ofAccesses(e, true, &RequestTotals::globalRequests); }},
        Quantity{"bank_passes", trMark("passes that shared memory takes for all requests"), Origin::Executed,
                 [](Execution& e) { return number(requests(e).sharedPasses); }},
        Quantity{"bank_conflicts", trMark("of these, more than without bank conflicts"), Origin::Executed,
                 [](Execution& e) { return number(requests(e).sharedPasses - requests(e).idealSharedPasses); }},
        Quantity{"constant.passes", trMark("passes that the constant cache takes for all requests"), Origin::Executed,
                 [](Execution& e) { return number(requests(e).constantPasses); }},
        Quantity{"constant.accesses", trMark("requests of warps to constant memory"), Origin::Executed,
                 [](Execution& e) { return number(requests(e).constantRequests); }},
        Quantity{"divergent_warps", trMark("branches at which a warp divides"), Origin::Executed,
                 [](Execution& e) { return number(e.divergence().total()); }},
        Quantity{"lane_efficiency", trMark("share of the lanes that work"), Origin::Executed,
                 [](Execution& e) { return grid(e).laneEfficiency(); }},
        // One interior block.
        Quantity{"block.loads", trMark("elements that an interior block loads from global memory"), Origin::Executed,
                 [](Execution& e) { return globalElements(e, block(e), &analysis::ObjectCounts::loads); }},
        Quantity{"block.stores", trMark("elements that it stores to global memory"), Origin::Executed,
                 [](Execution& e) { return globalElements(e, block(e), &analysis::ObjectCounts::stores); }},
        Quantity{"block.outputs", trMark("distinct output elements that it writes"), Origin::Executed,
                 [](Execution& e) { return number(e.interior().outputs); }},
        Quantity{"block.flops", trMark("its floating-point operations"), Origin::Executed,
                 [](Execution& e) { return number(block(e).flops); }},
        Quantity{"block.multiplications", trMark("its multiplications of floating-point numbers"), Origin::Executed,
                 [](Execution& e) { return number(e.interior().block.products.all); }},
        Quantity{"block.inputs", trMark("distinct input points that it loads"), Origin::Executed,
                 [](Execution& e) { return number(e.interior().inputs); }},
        Quantity{"block.halo", trMark("of these, those outside its output tile"), Origin::Executed,
                 [](Execution& e) { return number(e.interior().inputs) - inside(e); }},
        Quantity{"block.inside", trMark("of these, those inside its output tile"), Origin::Executed, inside},
        Quantity{"block.unused", trMark("input points that it loads and no output of it needs"), Origin::Executed,
                 unusedByBlock},
        Quantity{"block.idle", trMark("its threads that write no output"), Origin::Executed,
                 [](Execution& e) { return number(e.interior().work.threads - e.interior().work.working); }},
        Quantity{"block.loads_per_output", trMark("loaded elements for each output"), Origin::Executed,
                 [](Execution& e) {
                   if (e.interior().outputs == 0) {
                     throw InputError(trf("{}: an interior block writes no output", e.file().id));
                   }
                   return globalElements(e, block(e), &analysis::ObjectCounts::loads) / number(e.interior().outputs);
                 }},
        Quantity{"block.barriers", trMark("barriers that each of its warps arrives at"), Origin::Executed, barriers},
        Quantity{"block.shared_bytes", trMark("bytes of shared memory that a block needs"), Origin::Launch,
                 [](Execution& e) { return number(e.recorded().counts.sharedBytesPerBlock); }},
        Quantity{"block.steps", trMark("steps of the chosen block"), Origin::Executed,
                 [](Execution& e) { return number(e.recorded().recording->steps.size()); }},
        Quantity{"block.planes", trMark("turns of the loop that moves the chosen block through the grid"),
                 Origin::Executed, [](Execution& e) { return number(e.recorded().recording->planes.size()); }},
        // The chosen block.
        Quantity{"chosen.loads", trMark("elements that the chosen block loads from global memory"), Origin::Executed,
                 [](Execution& e) { return number(recording::BlockTally(*e.recorded().recording).loads()); }},
        Quantity{"chosen.inputs", trMark("distinct input points that it loads"), Origin::Executed,
                 [](Execution& e) { return number(e.recorded().footprint.loads.size()); }},
        Quantity{"chosen.outputs", trMark("distinct output elements that it writes"), Origin::Executed,
                 [](Execution& e) { return number(e.recorded().footprint.outputs.size()); }},
        Quantity{"chosen.halo", trMark("of its input points, those outside its output tile"), Origin::Executed,
                 [](Execution& e) { return number(haloCells(e).cells.size()); }},
        Quantity{"chosen.unused", trMark("input points that it loads and no output of it needs"), Origin::Executed,
                 [](Execution& e) { return number(unusedCells(e).cells.size()); }},
        Quantity{"chosen.span", trMark("elements of memory from a thread's first to its last input point, at most"),
                 Origin::Executed, [](Execution& e) { return number(spanOfLoads(e)); }},
        Quantity{"chosen.idle", trMark("its threads that write no output"), Origin::Executed,
                 [](Execution& e) { return number(idleThreads(e).cells.size()); }},
        // Operations per byte.
        Quantity{"op_per_byte.formula", trMark("operations per byte by the formula of the header"), Origin::Header,
                 formula},
        Quantity{"op_per_byte.block", trMark("of an interior block, loads only"), Origin::Executed,
                 [](Execution& e) { return block(e).opPerLoadByte(); }},
        Quantity{"op_per_byte.grid", trMark("of the whole grid, loads only"), Origin::Executed,
                 [](Execution& e) { return grid(e).opPerLoadByte(); }},
        Quantity{"op_per_byte.bound",
                 trMark("of a tile with as many outputs as inputs, each loaded once: what growing tiles approach"),
                 Origin::Executed, [](Execution& e) { return e.interior().reuseBound(); }},
        Quantity{"op_per_byte.stores", trMark("of the whole grid, loads and stores"), Origin::Executed,
                 [](Execution& e) { return grid(e).opPerByte(); }},
        // The definition.
        Quantity{"taps", trMark("input points of an output"), Origin::Executed,
                 [](Execution& e) { return number(e.taps().size()); }},
        Quantity{"bytes_per_element", trMark("bytes of an element of the output"), Origin::Launch, bytesPerElement},
        Quantity{"radius", trMark("the farthest of them, in points along an axis"), Origin::Executed, order},
        Quantity{"order", trMark("the same, as stencils call it"), Origin::Executed, order},
        Quantity{"time_steps", trMark("time steps of a launch"), Origin::Launch,
                 [](Execution& e) { return number(e.file().steps(e.bindings())); }},
        Quantity{"ghost.reads", trMark("products with a ghost cell, left out or with 0"), Origin::Executed,
                 [](Execution& e) { return number(e.missingPoints().size()); }},
        Quantity{"ghost.cells", trMark("distinct ghost cells that outputs refer to"), Origin::Executed,
                 [](Execution& e) { return number(ghostCells(e).cells.size()); }},
        // The compiled code.
        Quantity{"registers.points", trMark("registers of a thread that hold grid points, in the text"),
                 Origin::Executed, registersOfPoints},
        Quantity{"registers", trMark("registers of a thread, compiled for sm_90"), Origin::Compiler, compiledRegisters},
        Quantity{"occupancy", trMark("share of a multiprocessor's warps that are resident, for sm_90"),
                 Origin::Compiler, compiledOccupancy},
        Quantity{"occupancy.blocks", trMark("blocks that a multiprocessor holds at once, for sm_90"), Origin::Compiler,
                 compiledBlocks},
    });

}  // namespace

std::span<const Quantity> quantities() { return kQuantities; }

const Quantity* findQuantity(const std::string& name) {
  const auto found = std::ranges::find(kQuantities, name, &Quantity::name);
  return found == kQuantities.end() ? nullptr : &*found;
}

}  // namespace haloscope::questions
