# The module that pages execute (preset pages): the emulator and what is needed around it, from the same rooms as the
# program, for WebAssembly. The programs that it executes were lowered when the page was made.

# Rooms that the module is made of; of some of them a few files (NATIVE in their CMakeLists.txt) stay out.
set(HALOSCOPE_PAGES_ROOMS text language program inputs catalogue verdict simt frontend recording cells provenance analysis
    faults experiment checking parts figures questions lessons handout site)

# Headers alone, without the folder of the machine's other ones.
set(headers "${PROJECT_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${headers}")
foreach(header IN ITEMS fmt/format.h nlohmann/json.hpp)
    cmake_path(GET header PARENT_PATH folder)
    find_path(HALOSCOPE_${folder}_FOLDER ${header} PATHS /usr/include /usr/local/include REQUIRED)
    file(CREATE_LINK "${HALOSCOPE_${folder}_FOLDER}/${folder}" "${headers}/${folder}" SYMBOLIC)
endforeach()
include_directories(BEFORE SYSTEM "${PROJECT_SOURCE_DIR}/app/cmake/wasm/include" "${headers}")
add_library(fmt::fmt INTERFACE IMPORTED)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)

include(HaloscopeTargets)
foreach(library IN ITEMS core judgement course pages)
    add_subdirectory(app/${library})
endforeach()
