# The package of Python, where the interpreter of the system finds what is installed under this
# prefix: Debian looks into lib/python3/dist-packages of /usr and lib/python3.N/dist-packages of
# /usr/local, others into lib/python3.N/site-packages.
find_program(SARRUS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH DOC "interpreter that the package is installed for")
if(NOT SARRUS_PYTHON)
  find_program(SARRUS_PYTHON python3)
endif()
if(NOT SARRUS_PYTHON)
  return()
endif()
execute_process(
  COMMAND ${SARRUS_PYTHON} -c "import sys; print('%d.%d;%s' % (*sys.version_info[:2], 'dist' if any(p.endswith('dist-packages') for p in sys.path) else 'site'))"
  OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE)
list(GET python 0 version)
list(GET python 1 kind)
if(kind STREQUAL "dist" AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(folder lib/python3/dist-packages)
else()
  set(folder lib/python${version}/${kind}-packages)
endif()
set(SARRUS_PYTHON_DIR ${folder} CACHE STRING "where the package of Python is installed, under the prefix")

install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/sarrus DESTINATION ${SARRUS_PYTHON_DIR}
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
option(SARRUS_PYTHON_SYSTEM "the package finds the library by its SONAME, where the linker looks (for packages)" OFF)
file(RELATIVE_PATH from_package ${CMAKE_INSTALL_PREFIX}/${SARRUS_PYTHON_DIR}/sarrus ${CMAKE_INSTALL_FULL_LIBDIR})
set(library libsarrus.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(NOT SARRUS_PYTHON_SYSTEM)
  set(library ${from_package}/${library})
endif()
file(WRITE ${PROJECT_BINARY_DIR}/python/_installed "${library}\n")
install(FILES ${PROJECT_BINARY_DIR}/python/_installed DESTINATION ${SARRUS_PYTHON_DIR}/sarrus)
