// Messages for text that is not YAML.
#pragma once
#include "base/error.h"

#include <yaml.h>

// Reports why yaml_parser_parse failed, with what people usually did. SAR_BAD_MODEL, or
// SAR_NO_MEMORY.
SarStatus sar_yaml_syntax(const yaml_parser_t* parser, const char* text, size_t n, const char* file,
                          SarError* err);
