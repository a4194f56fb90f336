# How every Haloscope target is made: its sources are the files of its folder, so that adding a panel or an observer is
# adding one file and never an edit here.

# Warnings apply to our own sources only; dependencies are SYSTEM includes or compiled with -w.
# -Wsign-conversion is left out: indices of lanes and cells mix signedness all over, and the noise hides -Wconversion.
add_library(haloscope_warnings INTERFACE)
target_compile_options(haloscope_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wpedantic)
if(HALOSCOPE_WERROR)
    target_compile_options(haloscope_warnings INTERFACE -Werror)
endif()

# What all our targets share: the language, where includes start, the sanitizers, the linker.
add_library(haloscope_common INTERFACE)
target_compile_features(haloscope_common INTERFACE cxx_std_20)
# "simt/Executor.h" is found below app/, "ui/Theme.h" below the root.
target_include_directories(haloscope_common INTERFACE "${PROJECT_SOURCE_DIR}/app" "${PROJECT_SOURCE_DIR}")
target_link_libraries(haloscope_common INTERFACE haloscope_warnings)
# Clang is linked from 100 MB of archives: lld does that in half a second where bfd takes two.
find_program(HALOSCOPE_LLD NAMES ld.lld)
if(HALOSCOPE_LLD)
    target_link_options(haloscope_common INTERFACE -fuse-ld=lld)
endif()
# Each function in a section of its own, so that the linker drops the parts of Clang and ImGui nobody calls.
target_compile_options(haloscope_common INTERFACE -ffunction-sections -fdata-sections)
target_link_options(haloscope_common INTERFACE -Wl,--gc-sections -Wl,--as-needed)
if(HALOSCOPE_SANITIZE)
    # vptr checks need type information for Clang's classes that the distribution's archives do not keep complete.
    set(sanitize_flags -fsanitize=${HALOSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    if(HALOSCOPE_SANITIZE MATCHES "undefined")
        list(APPEND sanitize_flags -fno-sanitize=vptr)
    endif()
    # GCC takes instrumented library code for code that reads what is not initialised.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        list(APPEND sanitize_flags -Wno-maybe-uninitialized)
    endif()
    target_compile_options(haloscope_common INTERFACE ${sanitize_flags})
    target_link_options(haloscope_common INTERFACE ${sanitize_flags})
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON) # for clang-tidy and editors

find_program(HALOSCOPE_CCACHE ccache)
if(HALOSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${HALOSCOPE_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${HALOSCOPE_CCACHE}")
endif()

# haloscope_join_files(<name>): a target's files are compiled several at a time, HALOSCOPE_FILES_TOGETHER of them. Nearly
# all the time of a file goes into headers, which are then read once for all; so those that read the longest ones, whose
# functions they compile too, are neighbours. What a file keeps to itself (its anonymous namespace) must have names that
# differ from those of the target's other files.
set(HALOSCOPE_FILES_TOGETHER 1 CACHE STRING "How many files of a target are compiled as one")
function(haloscope_join_files name)
    if(HALOSCOPE_FILES_TOGETHER GREATER 1)
        get_target_property(sources ${name} SOURCES)
        foreach(header IN ITEMS "nlohmann/json.hpp" "CLI/CLI.hpp")
            set(readers "")
            foreach(source IN LISTS sources)
                file(STRINGS "${source}" found REGEX "^#include <${header}>" LIMIT_COUNT 1)
                if(found)
                    list(APPEND readers "${source}")
                endif()
            endforeach()
            list(LENGTH readers count)
            if(count GREATER 1)
                list(REMOVE_ITEM sources ${readers})
                list(PREPEND sources ${readers})
            endif()
        endforeach()
        set_property(TARGET ${name} PROPERTY SOURCES ${sources})
        set_target_properties(${name} PROPERTIES
            UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${HALOSCOPE_FILES_TOGETHER})
        # GCC takes what is included for a header, and anonymous namespaces of headers for mistakes.
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            target_compile_options(${name} PRIVATE -Wno-subobject-linkage)
        endif()
    endif()
endfunction()

# haloscope_library(<name> [FOLDERS <folder>...] [EXCEPT <file>...] [LINK <target>...] [LINK_PRIVATE <target>...])
# A static library of all *.cpp files of the calling folder, and of FOLDERS below it. LINK is what its headers use, LINK_PRIVATE what only its
# sources use. A folder without sources (headers only, or still empty) becomes an INTERFACE library of the same name.
function(haloscope_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;EXCEPT;LINK;LINK_PRIVATE")
    file(GLOB sources CONFIGURE_DEPENDS "*.cpp" "*.h")
    foreach(folder IN LISTS arg_FOLDERS)
        file(GLOB more CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.h")
        list(APPEND sources ${more})
    endforeach()
    foreach(file IN LISTS arg_EXCEPT)
        list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    endforeach()
    if("${sources}" MATCHES "\\.cpp(;|$)")
        add_library(${name} STATIC ${sources})
        target_link_libraries(${name} PUBLIC haloscope_common ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE})
        haloscope_join_files(${name})
    else()
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE haloscope_common ${arg_LINK})
    endif()
endfunction()

# haloscope_definitions(<name> <definition>...): a definition that users of the library's headers see too.
function(haloscope_definitions name)
    get_target_property(type ${name} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_compile_definitions(${name} INTERFACE ${ARGN})
    else()
        target_compile_definitions(${name} PUBLIC ${ARGN})
    endif()
endfunction()

# haloscope_hot_loop(<name>): the emulator's inner loops gain from -O3; the rest of the program only compiles longer.
# No -march: the program must run on any x86-64; where a wider vector pays, use function multiversioning.
function(haloscope_hot_loop name)
    get_target_property(type ${name} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
    endif()
endfunction()
