// A small writer of XML: elements, attributes, escapes, indentation; text between tags is not
// needed.
#pragma once
#include <stdbool.h>
#include <stdio.h>

typedef struct SarXmlOut {
  FILE* out;
  int depth;
  bool open;  // the last tag still takes attributes
} SarXmlOut;

void sar_xml_begin(SarXmlOut* x, FILE* out);  // with the declaration of UTF-8
void sar_xml_open(SarXmlOut* x, const char* tag);
void sar_xml_close(SarXmlOut* x, const char* tag);
// Of the tag that was opened last. Bytes that XML cannot have become question marks.
void sar_xml_text(SarXmlOut* x, const char* name, const char* value);
void sar_xml_number(SarXmlOut* x, const char* name, double value);  // 17 digits: exact
void sar_xml_integer(SarXmlOut* x, const char* name, long value);
void sar_xml_bool(SarXmlOut* x, const char* name, bool value);
