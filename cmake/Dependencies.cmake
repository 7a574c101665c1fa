# Libraries Sarrus stands on, as the interface target `sarrus_dependencies`. HDF5, cairo, civetweb,
# libzip, SUNDIALS, FLINT and AMD are used when present.

find_package(PkgConfig REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(XML REQUIRED IMPORTED_TARGET libxml-2.0)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

add_library(sarrus_dependencies INTERFACE)
target_link_libraries(sarrus_dependencies INTERFACE PkgConfig::YAML PkgConfig::XML Threads::Threads m ${CMAKE_DL_LIBS})
target_link_options(sarrus_dependencies INTERFACE LINKER:--as-needed)  # HDF5 names libraries that only its static form needs

# LAPACK for the decompositions of constrained formulations. The portable build takes the reference
# library as archives: no threads, no locks, no allocation, the same bits on every machine whatever
# BLAS it has, and nothing for a user to install. OpenBLAS chooses its kernels by processor, so it
# belongs to the native build; its serial variant is named by path, because the plain name leads to
# whichever variant the distribution's alternatives point at.
set(SARRUS_OPENBLAS_DIR /usr/lib/${CMAKE_C_LIBRARY_ARCHITECTURE}/openblas-serial CACHE PATH "serial OpenBLAS, for native builds")
if(SARRUS_NATIVE)
  find_library(OPENBLAS_SERIAL openblas PATHS ${SARRUS_OPENBLAS_DIR} NO_DEFAULT_PATH)
endif()
find_library(LAPACK_ARCHIVE liblapack.a PATH_SUFFIXES lapack)
find_library(BLAS_ARCHIVE libblas.a PATH_SUFFIXES blas)
find_library(FORTRAN_RUNTIME NAMES gfortran libgfortran.so.5)
if(OPENBLAS_SERIAL)
  set(SARRUS_LAPACK ${OPENBLAS_SERIAL})
elseif(LAPACK_ARCHIVE AND BLAS_ARCHIVE AND FORTRAN_RUNTIME)
  set(SARRUS_LAPACK ${LAPACK_ARCHIVE} ${BLAS_ARCHIVE} ${FORTRAN_RUNTIME})
  # their symbols stay inside the library
  target_link_options(sarrus_dependencies INTERFACE LINKER:--exclude-libs,liblapack.a:libblas.a)
else()
  find_package(LAPACK REQUIRED)
  set(SARRUS_LAPACK ${LAPACK_LIBRARIES})
endif()
target_link_libraries(sarrus_dependencies INTERFACE ${SARRUS_LAPACK})

option(SARRUS_HDF5 "write HDF5 files, if the library is found" ON)
if(SARRUS_HDF5)
  find_package(HDF5 QUIET COMPONENTS C)
endif()
if(HDF5_FOUND)
  add_library(sarrus_hdf5 INTERFACE)
  target_include_directories(sarrus_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(sarrus_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  target_compile_definitions(sarrus_hdf5 INTERFACE SARRUS_HAVE_HDF5)
  target_link_libraries(sarrus_dependencies INTERFACE sarrus_hdf5)
endif()

# Pictures of mechanisms are drawn by cairo. Only the program needs it, not the library.
option(SARRUS_CAIRO "draw pictures of mechanisms, if cairo is found" ON)
if(SARRUS_CAIRO)
  pkg_check_modules(CAIRO QUIET IMPORTED_TARGET cairo cairo-png cairo-svg cairo-pdf)
endif()
add_library(sarrus_cairo INTERFACE)
if(CAIRO_FOUND)
  target_link_libraries(sarrus_cairo INTERFACE PkgConfig::CAIRO)
  target_compile_definitions(sarrus_cairo INTERFACE SARRUS_HAVE_CAIRO)
endif()

# The window (sarrus view) is served by civetweb. Only the program needs it. Debian's has no
# pkg-config file.
option(SARRUS_CIVETWEB "serve the window, if civetweb is found" ON)
if(SARRUS_CIVETWEB)
  find_path(CIVETWEB_INCLUDE_DIR civetweb.h)
  find_library(CIVETWEB_LIBRARY civetweb)
endif()
add_library(sarrus_civetweb INTERFACE)
if(SARRUS_CIVETWEB AND CIVETWEB_INCLUDE_DIR AND CIVETWEB_LIBRARY)
  set(CIVETWEB_FOUND ON)
  target_include_directories(sarrus_civetweb SYSTEM INTERFACE ${CIVETWEB_INCLUDE_DIR})
  target_link_libraries(sarrus_civetweb INTERFACE ${CIVETWEB_LIBRARY})
  target_compile_definitions(sarrus_civetweb INTERFACE SARRUS_HAVE_CIVETWEB)
endif()

# FMUs are ZIP archives. Only the program needs libzip.
option(SARRUS_FMI "write and read FMUs, if libzip is found" ON)
if(SARRUS_FMI)
  pkg_check_modules(ZIP QUIET IMPORTED_TARGET libzip)
endif()
add_library(sarrus_zip INTERFACE)
if(ZIP_FOUND)
  target_link_libraries(sarrus_zip INTERFACE PkgConfig::ZIP)
  target_compile_definitions(sarrus_zip INTERFACE SARRUS_HAVE_ZIP)
endif()

# Debian's SUNDIALS has no pkg-config file, and its CMake package wants every optional back end of
# SUNDIALS to be there.
option(SARRUS_SUNDIALS "offer CVODE and IDA as integrators, if the libraries are found" ON)
if(SARRUS_SUNDIALS)
  find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
  find_library(SUNDIALS_CVODE_LIBRARY sundials_cvode)
  find_library(SUNDIALS_IDA_LIBRARY sundials_ida)
  find_library(SUNDIALS_NVECSERIAL_LIBRARY sundials_nvecserial)
endif()
if(SARRUS_SUNDIALS AND SUNDIALS_INCLUDE_DIR AND SUNDIALS_CVODE_LIBRARY AND SUNDIALS_NVECSERIAL_LIBRARY)
  set(SUNDIALS_FOUND ON)
  add_library(sarrus_sundials INTERFACE)
  target_include_directories(sarrus_sundials SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
  target_link_libraries(sarrus_sundials INTERFACE ${SUNDIALS_CVODE_LIBRARY} ${SUNDIALS_NVECSERIAL_LIBRARY})
  target_compile_definitions(sarrus_sundials INTERFACE SARRUS_HAVE_SUNDIALS)
  if(SUNDIALS_IDA_LIBRARY)
    target_link_libraries(sarrus_sundials INTERFACE ${SUNDIALS_IDA_LIBRARY})
    target_compile_definitions(sarrus_sundials INTERFACE SARRUS_HAVE_IDA)
  endif()
  target_link_libraries(sarrus_dependencies INTERFACE sarrus_sundials)
endif()

# Exact polynomials for kinematics by loops. Debian's FLINT has no pkg-config file.
option(SARRUS_FLINT "kinematics by Groebner bases, if FLINT is found" ON)
if(SARRUS_FLINT)
  find_path(FLINT_INCLUDE_DIR flint/fmpq_mpoly.h)
  find_library(FLINT_LIBRARY flint)
  find_library(GMP_LIBRARY gmp)
endif()
if(FLINT_INCLUDE_DIR AND FLINT_LIBRARY AND GMP_LIBRARY)
  set(FLINT_FOUND ON)
  add_library(sarrus_flint INTERFACE)
  target_include_directories(sarrus_flint SYSTEM INTERFACE ${FLINT_INCLUDE_DIR})
  target_link_libraries(sarrus_flint INTERFACE ${FLINT_LIBRARY} ${GMP_LIBRARY})
  target_compile_definitions(sarrus_flint INTERFACE SARRUS_HAVE_FLINT)
  target_link_libraries(sarrus_dependencies INTERFACE sarrus_flint)
endif()

# Orders of small fill for networks of loops, by the library AMD of SuiteSparse; as an archive where
# there is one: nothing for a user to install. What we call of it neither allocates nor has globals.
option(SARRUS_AMD "orders of small fill for networks of loops, if AMD is found" ON)
if(SARRUS_AMD)
  find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse)
  find_library(AMD_LIBRARY NAMES libamd.a amd)
endif()
if(AMD_INCLUDE_DIR AND AMD_LIBRARY)
  set(AMD_FOUND ON)
  add_library(sarrus_amd INTERFACE)
  target_include_directories(sarrus_amd SYSTEM INTERFACE ${AMD_INCLUDE_DIR})
  target_link_libraries(sarrus_amd INTERFACE ${AMD_LIBRARY})
  target_link_options(sarrus_amd INTERFACE LINKER:--exclude-libs,libamd.a)
  target_compile_definitions(sarrus_amd INTERFACE SARRUS_HAVE_AMD)
  target_link_libraries(sarrus_dependencies INTERFACE sarrus_amd)
endif()

# Optimization of parameters. Only the program needs NLopt.
option(SARRUS_NLOPT "sarrus optimize, if NLopt is found" ON)
if(SARRUS_NLOPT)
  pkg_check_modules(NLOPT QUIET IMPORTED_TARGET nlopt)
endif()
add_library(sarrus_nlopt INTERFACE)
if(NLOPT_FOUND)
  target_link_libraries(sarrus_nlopt INTERFACE PkgConfig::NLOPT)
  target_compile_definitions(sarrus_nlopt INTERFACE SARRUS_HAVE_NLOPT)
endif()

# Sweeps over the ranks of an MPI job. Only a module that the program loads in such a job needs it.
option(SARRUS_MPI "sweeps by MPI, if it is found" ON)
if(SARRUS_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()

message(STATUS "Sarrus ${PROJECT_VERSION}, ${SARRUS_BUILD} build: HDF5 ${HDF5_FOUND}, cairo ${CAIRO_FOUND}, civetweb ${CIVETWEB_FOUND}, libzip ${ZIP_FOUND}, SUNDIALS ${SUNDIALS_FOUND}, FLINT ${FLINT_FOUND}, AMD ${AMD_FOUND}, NLopt ${NLOPT_FOUND}, MPI ${MPI_C_FOUND}, LAPACK ${SARRUS_LAPACK}")
