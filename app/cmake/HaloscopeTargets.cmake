# How every Haloscope target is made. Its sources are the files of its folder: adding a panel or an observer means adding
# one file, without an edit here.

# Warnings apply to our own sources only; dependencies are SYSTEM includes or compiled with -w.
# -Wsign-conversion is left out: indices of lanes and cells mix signedness everywhere, which would hide the rest.
add_library(haloscope_warnings INTERFACE)
target_compile_options(haloscope_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wpedantic)
if(HALOSCOPE_WERROR)
    target_compile_options(haloscope_warnings INTERFACE -Werror)
endif()
# libstdc++ 12 implements std::stable_sort with a function that it has deprecated, which Clang reports (GCC does not).
target_compile_options(haloscope_warnings INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

# What all targets share: the language, the include folders, fmt, the sanitizers, the linker.
add_library(haloscope_common INTERFACE)
target_compile_features(haloscope_common INTERFACE cxx_std_20)
# "ui/widgets/Theme.h" is found in the root folder; "simt/Executor.h" in app/core, whose rooms bring that folder along.
target_include_directories(haloscope_common INTERFACE "${PROJECT_SOURCE_DIR}")
target_link_libraries(haloscope_common INTERFACE haloscope_warnings fmt::fmt)
# The program links 100 MB of Clang's archives, which takes lld half a second and bfd two.
find_program(HALOSCOPE_LLD NAMES ld.lld)
if(HALOSCOPE_LLD AND NOT HALOSCOPE_PAGES)
    target_link_options(haloscope_common INTERFACE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:HALOSCOPE_OWN_LINKER>>>:-fuse-ld=lld>)
endif()
# Each function gets a section of its own, so that the linker can drop unused parts of Clang and ImGui.
target_compile_options(haloscope_common INTERFACE -ffunction-sections -fdata-sections)
target_link_options(haloscope_common INTERFACE -Wl,--gc-sections)
if(NOT HALOSCOPE_PAGES)
    target_link_options(haloscope_common INTERFACE -Wl,--as-needed)
endif()
if(HALOSCOPE_SANITIZE)
    # vptr checks need type information that is incomplete in the distribution's archives of Clang; function checks read
    # what is before a function, where code that was linked at run time has nothing.
    set(sanitize_flags -fsanitize=${HALOSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    if(HALOSCOPE_SANITIZE MATCHES "undefined")
        list(APPEND sanitize_flags -fno-sanitize=vptr$<$<CXX_COMPILER_ID:Clang>:,function>)
    endif()
    # GCC warns of uninitialised values in instrumented library code.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        list(APPEND sanitize_flags -Wno-maybe-uninitialized)
    endif()
    if(HALOSCOPE_SANITIZE MATCHES "address")
        target_compile_definitions(haloscope_common INTERFACE HALOSCOPE_ADDRESS_SANITIZER)
    endif()
    target_compile_options(haloscope_common INTERFACE ${sanitize_flags})
    target_link_options(haloscope_common INTERFACE ${sanitize_flags})
    target_sources(haloscope_common INTERFACE
        "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${CMAKE_CURRENT_LIST_DIR}/sanitizer_options.cpp>")
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON) # for clang-tidy and editors

find_program(HALOSCOPE_CCACHE ccache)
if(HALOSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${HALOSCOPE_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${HALOSCOPE_CCACHE}")
endif()

# haloscope_join_files(<name>): compiles the files of a target HALOSCOPE_FILES_TOGETHER at a time, so that headers, which
# take most of the time, are read once for all of them. Names in anonymous namespaces must therefore differ between the
# files of a target.
set(HALOSCOPE_FILES_TOGETHER 1 CACHE STRING "How many files of a target are compiled as one")
function(haloscope_join_files name)
    if(HALOSCOPE_FILES_TOGETHER GREATER 1)
        set_target_properties(${name} PROPERTIES
            UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${HALOSCOPE_FILES_TOGETHER})
        # GCC takes the joined files for headers, and warns of anonymous namespaces in headers.
        target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
endfunction()

# haloscope_library(<name> <room>...): a folder of app/ with its rooms, in the order of their dependencies; links as
# haloscope::<name>.
function(haloscope_library name)
    add_library(haloscope_${name} INTERFACE)
    add_library(haloscope::${name} ALIAS haloscope_${name})
    foreach(room IN LISTS ARGN)
        if(HALOSCOPE_PAGES AND NOT room IN_LIST HALOSCOPE_PAGES_ROOMS)
            continue()
        endif()
        add_subdirectory(${room})
        target_link_libraries(haloscope_${name} INTERFACE haloscope_${room})
    endforeach()
endfunction()

# haloscope_room(<name> [EXCEPT <file>...] [NATIVE <file>...] [LINK <target>...] [LINK_PRIVATE <target>...])
# A static library of all *.cpp files of the calling folder. NATIVE are those that the module for pages does without. LINK is what the headers use that other folders include,
# LINK_PRIVATE what the rest uses; app/cmake/check_includes.py compares both with the #include lines. A folder without
# sources becomes an INTERFACE library of the same name. Headers are included by room and name, "simt/Executor.h": the
# folder above the room is on the include path of whoever links it.
function(haloscope_room name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "EXCEPT;NATIVE;LINK;LINK_PRIVATE")
    file(GLOB sources CONFIGURE_DEPENDS "*.cpp" "*.h")
    if(HALOSCOPE_PAGES)
        list(APPEND arg_EXCEPT ${arg_NATIVE})
        list(TRANSFORM HALOSCOPE_PAGES_ROOMS PREPEND haloscope_ OUTPUT_VARIABLE rooms)
        foreach(list IN ITEMS arg_LINK arg_LINK_PRIVATE)
            set(links)
            foreach(link IN LISTS ${list})
                if(link IN_LIST rooms OR link STREQUAL "nlohmann_json::nlohmann_json")
                    list(APPEND links ${link})
                endif()
            endforeach()
            set(${list} ${links})
        endforeach()
    endif()
    foreach(file IN LISTS arg_EXCEPT)
        list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    endforeach()
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH above)
    if("${sources}" MATCHES "\\.cpp(;|$)")
        add_library(${name} STATIC ${sources})
        target_link_libraries(${name} PUBLIC haloscope_common ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE})
        target_include_directories(${name} PUBLIC "${above}")
        haloscope_join_files(${name})
    else()
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE haloscope_common ${arg_LINK})
        target_include_directories(${name} INTERFACE "${above}")
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

# haloscope_cold(<name> [EXCEPT <file>...]): for code that runs once a click, a command or a test. Builds for release and
# with sanitizers do not optimise it, which halves the time it takes to compile. EXCEPT are files that go through whole
# arrays.
function(haloscope_cold name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "EXCEPT")
    set(quick $<CONFIG:Release>)
    if(HALOSCOPE_SANITIZE)
        set(quick 1)
    endif()
    target_compile_options(${name} PRIVATE $<${quick}:-O0>)
    set_source_files_properties(${arg_EXCEPT} PROPERTIES
        SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "$<${quick}:-O2>")
endfunction()

# haloscope_clang_room(<name>): for code that instantiates Clang's headers. Unoptimised copies of their inline functions would
# take the place of the optimised ones in Clang's own archives, since the linker keeps the first it meets, and slow every
# parse down by half.
function(haloscope_clang_room name)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# haloscope_hot_loop(<name>): for the emulator's inner loops, which gain from -O3, and from GCC where Clang compiles the
# rest. No -march: the program must run on any x86-64; where wider vectors pay, use function multiversioning.
if(HALOSCOPE_PREFER_CLANG AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    find_program(HALOSCOPE_GCC g++)
endif()
function(haloscope_hot_loop name)
    if(HALOSCOPE_SANITIZE OR HALOSCOPE_PAGES)
        # Clang warns of loops that it does not vectorise: with the sanitizers' checks in them, or for WebAssembly.
        target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
        return()
    endif()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
    if(HALOSCOPE_GCC)
        set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
            "${PROJECT_SOURCE_DIR}/app/cmake/compile-with.sh;${CMAKE_CXX_COMPILER_LAUNCHER};${HALOSCOPE_GCC};--")
        target_compile_options(${name} PRIVATE -Wno-subobject-linkage)
    endif()
endfunction()
