# Compiler flags of everything built here, as the interface target `sarrus_flags`.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

if(SARRUS_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SARRUS_FUZZ needs clang: cmake -DCMAKE_C_COMPILER=clang -DSARRUS_FUZZ=ON")
  endif()
  set(SARRUS_SANITIZE ON)
endif()

# The portable build computes the same bits on every machine: no contraction to FMA, no reordering.
# Not setting errno and not keeping floating-point traps changes no value; it lets sqrt and
# selections be single instructions.
set(SARRUS_BUILD portable)
set(contraction -ffp-contract=off)
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g")
if(SARRUS_NATIVE)
  set(SARRUS_BUILD native)
  # FMA and AVX2, not AVX-512: small vectors gain nothing from it, and valgrind cannot run it. The
  # compiler's own packing of scalars into vectors costs more moves than it saves operations on our
  # 3-vectors.
  set(contraction -ffp-contract=fast -march=native)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND contraction -mno-avx512f)
  endif()
  set(CMAKE_C_FLAGS_RELEASE "-O3")
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND contraction -fno-tree-slp-vectorize)
  else()
    list(APPEND contraction -fno-slp-vectorize)
  endif()
endif()
if(SARRUS_SANITIZE)
  set(CMAKE_C_FLAGS_RELEASE "-O1 -g1")  # reports name functions and lines; -g is a tenth more to compile
endif()

add_library(sarrus_flags INTERFACE)
target_compile_options(sarrus_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wmissing-prototypes -Wvla -Wdouble-promotion
  $<$<BOOL:${SARRUS_WERROR}>:-Werror>
  ${contraction} -fno-math-errno -fno-trapping-math)

if(SARRUS_SANITIZE)
  # What is wrong with an address AddressSanitizer sees where it is used: checking pointers for it a
  # second time is a third of what compiling takes. Test programs (their property SARRUS_TEST) are
  # looked at for addresses only.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  set(undefined -fsanitize=undefined -fno-sanitize=null,object-size,pointer-overflow -fno-sanitize-recover=all
      $<$<BOOL:${SARRUS_FUZZ}>:-fsanitize=fuzzer-no-link>)
  target_compile_options(sarrus_flags INTERFACE -fsanitize=address -fno-omit-frame-pointer
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:SARRUS_TEST>>>:${undefined}>")
  target_link_options(sarrus_flags INTERFACE ${sanitizers})
  target_compile_definitions(sarrus_flags INTERFACE SAR_CHECKED)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT SARRUS_SANITIZE)
  target_compile_definitions(sarrus_flags INTERFACE SAR_CHECKED)
endif()
