# In a .deb the system's libraries are found without help; lib/haloscope holds NVRTC alone, which finds its other half
# there. cpack runs this after everything was copied and before it is packed.
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
