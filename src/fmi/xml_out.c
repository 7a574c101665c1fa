// A small writer of XML (xml_out.h).
#include "fmi/xml_out.h"

#include "base/print.h"

void sar_xml_begin(SarXmlOut* x, FILE* out) {
  *x = (SarXmlOut){.out = out};
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
}

static void end_tag(SarXmlOut* x) {
  if (x->open) fputs(">\n", x->out);
  x->open = false;
}

void sar_xml_open(SarXmlOut* x, const char* tag) {
  end_tag(x);
  fprintf(x->out, "%*s<%s", 2 * x->depth++, "", tag);
  x->open = true;
}

void sar_xml_close(SarXmlOut* x, const char* tag) {
  x->depth--;
  if (x->open)
    fputs("/>\n", x->out);
  else
    fprintf(x->out, "%*s</%s>\n", 2 * x->depth, "", tag);
  x->open = false;
}

static void put_escaped(FILE* out, const char* text) {
  const unsigned char* p = (const unsigned char*)text;
  while (*p) {
    const int n = sar_utf8_length(p);
    if (n == 0 || (n == 1 && *p < 0x20 && *p != '\t')) {
      fputc('?', out);
      p++;
      continue;
    }
    if (n == 1 && (*p == '&' || *p == '<' || *p == '>' || *p == '"'))
      fputs(*p == '&' ? "&amp;" : *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : "&quot;", out);
    else
      fwrite(p, 1, (size_t)n, out);
    p += n;
  }
}

void sar_xml_text(SarXmlOut* x, const char* name, const char* value) {
  fprintf(x->out, " %s=\"", name);
  put_escaped(x->out, value);
  fputc('"', x->out);
}

void sar_xml_number(SarXmlOut* x, const char* name, double value) {
  char text[40];
  sar_snprintf(text, sizeof text, "%.17g", value);
  sar_xml_text(x, name, text);
}

void sar_xml_integer(SarXmlOut* x, const char* name, long value) {
  fprintf(x->out, " %s=\"%ld\"", name, value);
}

void sar_xml_bool(SarXmlOut* x, const char* name, bool value) {
  sar_xml_text(x, name, value ? "true" : "false");
}
