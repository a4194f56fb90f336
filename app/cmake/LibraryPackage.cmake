# libhaloscope: `cmake --install BUILD --component development` installs what another C++ program needs to execute, step
# through, ask and check kernels. Nothing is compiled for it:
#   lib/libhaloscope.a           the rooms' archives, as the program links them
#   include/haloscope/           the public headers, and those that they include
#   lib/cmake/haloscope/         for find_package(haloscope), which makes the target haloscope::haloscope
# Such a program asks an installed `haloscope` to read CUDA texts (component `program`; see program/HaloscopeProgram.h):
# Clang is not part of the library. tests/library has examples.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(public_headers
    catalogue/Catalogue.h         # the variants below a folder
    opening/OpenedFile.h          # any .cu file: its kernels, and a launch proposed for each
    experiment/Experiment.h       # execute: one choice of kernel, sizes and block
    recording/Cursor.h            # step: the recorded block, forwards and backwards
    recording/BlockView.h         # what the block looks like there
    questions/Execution.h         # ask: what is executed for an answer
    questions/Questions.h         # quantities, cells and lines by name
    judging/CheckedKernel.h       # check: findings, and the verdict
    simt/Observer.h               # whatever else happens during an execution
    program/HaloscopeProgram.h    # which `haloscope` reads the texts
    program/ResourceFolder.h)     # the folders that ship with it

# The rooms behind these headers, with all that they link.
set(waiting haloscope_judging haloscope_questions haloscope_opening haloscope_experiment haloscope_catalogue)
set(archives "")
set(seen "")
while(waiting)
    list(POP_FRONT waiting target)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" target "${target}")
    if(target IN_LIST seen OR NOT TARGET "${target}" OR target STREQUAL "haloscope_clang")
        continue()
    endif()
    list(APPEND seen ${target})
    get_target_property(type ${target} TYPE)
    get_target_property(imported ${target} IMPORTED)
    if(type STREQUAL "STATIC_LIBRARY" AND NOT imported)
        list(APPEND archives "$<TARGET_FILE:${target}>")
    endif()
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
        get_target_property(links ${target} ${property})
        if(links AND NOT imported)
            list(APPEND waiting ${links})
        endif()
    endforeach()
endwhile()

set(header_folders core programs judgement gpu course pages window cli)
list(TRANSFORM header_folders PREPEND "${PROJECT_SOURCE_DIR}/app/")
configure_file("${PROJECT_SOURCE_DIR}/app/cmake/package/InstallLibrary.cmake.in"
    "${PROJECT_BINARY_DIR}/InstallLibrary.cmake.in" @ONLY)
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/InstallLibrary.cmake" INPUT "${PROJECT_BINARY_DIR}/InstallLibrary.cmake.in")
install(SCRIPT "${PROJECT_BINARY_DIR}/InstallLibrary.cmake" COMPONENT development EXCLUDE_FROM_ALL)

set(package_folder lib/cmake/haloscope)
if(NOT fmt_VERSION)
    find_package(fmt QUIET) # only for its version
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/app/cmake/package/haloscopeConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/haloscopeConfig.cmake" INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/haloscopeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/haloscopeConfig.cmake" "${PROJECT_BINARY_DIR}/haloscopeConfigVersion.cmake"
    DESTINATION ${package_folder} COMPONENT development EXCLUDE_FROM_ALL)
