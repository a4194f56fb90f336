# A .deb uses the system's libraries, and its lib/haloscope contains only NVRTC's two libraries. cpack runs this script
# between copying and packing.
if(CPACK_GENERATOR STREQUAL "DEB")
    file(GLOB_RECURSE files "${CPACK_TEMPORARY_DIRECTORY}/*")
    list(FILTER files INCLUDE REGEX "/usr/bin/haloscope$")
    if(NOT files)
        message(FATAL_ERROR "haloscope: error: no usr/bin/haloscope below ${CPACK_TEMPORARY_DIRECTORY}")
    endif()
    foreach(program IN LISTS files)
        file(RPATH_SET FILE "${program}" NEW_RPATH "/usr/lib/haloscope")
    endforeach()
endif()
