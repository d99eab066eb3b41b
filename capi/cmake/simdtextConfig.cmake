# find_package(simdtext) gives simdtext::simdtext (the shared library, or the static one where there is no other)
# and simdtext::static. It is found relative to this file, so that the prefix may be moved.
get_filename_component(_simdtext_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

find_path(simdtext_INCLUDE_DIR simdtext.h PATHS "${_simdtext_prefix}/include" NO_DEFAULT_PATH)
set(_simdtext_suffixes lib lib64 "lib/${CMAKE_LIBRARY_ARCHITECTURE}" bin)
find_library(simdtext_LIBRARY simdtext
    PATHS "${_simdtext_prefix}" PATH_SUFFIXES ${_simdtext_suffixes} NO_DEFAULT_PATH)
find_library(simdtext_STATIC_LIBRARY
    "${CMAKE_STATIC_LIBRARY_PREFIX}simdtext${CMAKE_STATIC_LIBRARY_SUFFIX}"
    PATHS "${_simdtext_prefix}" PATH_SUFFIXES ${_simdtext_suffixes} NO_DEFAULT_PATH)
mark_as_advanced(simdtext_INCLUDE_DIR simdtext_LIBRARY simdtext_STATIC_LIBRARY)

if(NOT simdtext_INCLUDE_DIR OR NOT simdtext_LIBRARY)
    set(simdtext_FOUND FALSE)
    set(simdtext_NOT_FOUND_MESSAGE "no simdtext.h or libsimdtext below ${_simdtext_prefix}")
    return()
endif()

if(NOT TARGET simdtext::simdtext)
    add_library(simdtext::simdtext UNKNOWN IMPORTED)
    set_target_properties(simdtext::simdtext PROPERTIES
        IMPORTED_LOCATION "${simdtext_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${simdtext_INCLUDE_DIR}")
endif()

if(simdtext_STATIC_LIBRARY AND NOT TARGET simdtext::static)
    add_library(simdtext::static STATIC IMPORTED)
    set_target_properties(simdtext::static PROPERTIES
        IMPORTED_LOCATION "${simdtext_STATIC_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${simdtext_INCLUDE_DIR}")
    # What the standard library of Rust needs.
    if(UNIX)
        find_package(Threads QUIET)
        set_property(TARGET simdtext::static PROPERTY INTERFACE_LINK_LIBRARIES
            ${CMAKE_DL_LIBS} ${CMAKE_THREAD_LIBS_INIT} m)
    elseif(WIN32)
        set_property(TARGET simdtext::static PROPERTY INTERFACE_LINK_LIBRARIES
            kernel32 ntdll userenv ws2_32)
    endif()
endif()
