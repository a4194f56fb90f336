#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/ChosenData.h"
#include "program/Program.h"
#include "state/TypedCell.h"

/// Numbers typed into arrays.
namespace haloscope {

struct AppState;

/// An array of the launch on screen whose contents can be chosen, and what they are.
struct ChoosableArray {
  std::string name;
  inputs::ArrayChoice choice;
};
[[nodiscard]] std::vector<ChoosableArray> choosableArrays(const AppState& state);
[[nodiscard]] bool canBeTyped(const AppState& state, ObjectId array);

/// Asks for a number for an element; nothing happens for an array whose contents cannot be chosen.
void typeCell(AppState& state, ObjectId array, std::int64_t element);
/// Asks for a pattern or a file for an array.
void typeArray(AppState& state, const std::string& array);

/// Takes the number typed. False if it is refused, and TypedCell::refusal says why.
bool takeTyped(AppState& state);
/// Chooses a pattern, a list or a file for the array, as --data does; "default" takes back all that was chosen for it.
/// False if it is refused, and for a file, which is read first: TypedCell::taken follows.
bool takeSpec(AppState& state, const std::string& spec);
/// Other random numbers than those of now.
[[nodiscard]] std::string newRandom(const AppState& state);

}  // namespace haloscope
