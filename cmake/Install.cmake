# Install: library, header, pkg-config file, CMake package, program, man page, shell completions.
include(CMakePackageConfigHelpers)

install(TARGETS sarrus EXPORT sarrusTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sarrus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# paths relative to the .pc file, so that a moved tree keeps working
file(RELATIVE_PATH SARRUS_PC_TO_PREFIX
     ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" SARRUS_PC_TO_PREFIX "${SARRUS_PC_TO_PREFIX}")
configure_file(cmake/sarrus.pc.in sarrus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sarrus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sarrus)
configure_package_config_file(cmake/sarrusConfig.cmake.in sarrusConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sarrusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sarrusConfig.cmake ${PROJECT_BINARY_DIR}/sarrusConfigVersion.cmake
        DESTINATION ${package_dir})
install(EXPORT sarrusTargets NAMESPACE sarrus:: DESTINATION ${package_dir})

include(${CMAKE_CURRENT_LIST_DIR}/Python.cmake)

if(NOT TARGET sarrus_program)
  return()
endif()
install(TARGETS sarrus_program)
install(TARGETS sarrus_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sarrus)
if(TARGET sarrus_mpi)
  install(TARGETS sarrus_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sarrus)
endif()

# Until the program can write its manual, there is none to install.
file(GLOB help_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*help*.c)
if(NOT help_sources)
  return()
endif()

# The program writes its own manual page and completions, from the table behind --help.
set(manual ${PROJECT_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${manual})
function(sarrus_generated file destination)
  add_custom_command(OUTPUT ${manual}/${file}
    COMMAND sarrus_program help ${ARGN} > ${manual}/${file}
    DEPENDS sarrus_program VERBATIM)
  install(FILES ${manual}/${file} DESTINATION ${destination})
endfunction()
sarrus_generated(sarrus.1 ${CMAKE_INSTALL_MANDIR}/man1 --man)
sarrus_generated(sarrus ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --completion bash)
set(SARRUS_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "where zsh looks for completions, under the prefix")
sarrus_generated(_sarrus ${SARRUS_ZSH_DIR} --completion zsh)
sarrus_generated(sarrus.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --completion fish)
add_custom_target(sarrus_manual ALL
  DEPENDS ${manual}/sarrus.1 ${manual}/sarrus ${manual}/_sarrus ${manual}/sarrus.fish)
