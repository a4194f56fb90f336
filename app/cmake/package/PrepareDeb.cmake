# In a .deb the system's libraries are found without help; lib/haloscope holds NVRTC alone, which finds its other half
# there. cpack runs this after everything was copied and before it is packed.
if(CPACK_GENERATOR STREQUAL "DEB")
    file(GLOB_RECURSE programs "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/bin/haloscope"
        "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/bin/haloscope")
    foreach(program IN LISTS programs)
        file(RPATH_SET FILE "${program}" NEW_RPATH "/usr/lib/haloscope")
    endforeach()
endif()
