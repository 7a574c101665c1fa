# The page of the window: TypeScript in web/, bundled into one html file, which is installed with
# the program. Building it needs Node.js and npm; `cmake --build build --target web` does so. A page
# that is there already (web/dist/index.html) is taken as it is.
set(SARRUS_PAGE ${PROJECT_SOURCE_DIR}/web/dist/index.html)
find_program(SARRUS_NPM npm)
if(SARRUS_NPM AND EXISTS ${PROJECT_SOURCE_DIR}/web/package.json)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/* ${PROJECT_SOURCE_DIR}/web/*.json
       ${PROJECT_SOURCE_DIR}/web/*.mjs)
  list(FILTER web_sources EXCLUDE REGEX "/node_modules/|/dist/")
  add_custom_command(OUTPUT ${SARRUS_PAGE}
    COMMAND ${SARRUS_NPM} ci --no-audit --no-fund --silent
    COMMAND ${SARRUS_NPM} run --silent build
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web
    DEPENDS ${web_sources}
    COMMENT "Bundling the page of the window"
    VERBATIM)
  add_custom_target(web DEPENDS ${SARRUS_PAGE})
else()
  add_custom_target(web
    COMMAND ${CMAKE_COMMAND} -E echo "The page of the window is bundled by npm, which was not found: install Node.js and configure again."
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
install(FILES ${SARRUS_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/sarrus/view OPTIONAL)
