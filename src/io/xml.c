// libxml2's SAX interface feeds the tree. SAX rather than its DOM because the parser then stands at
// the end of the start tag just read: looking back from there to "<" gives the exact place of the
// tag and of each attribute in the text, which the DOM does not keep.
//
// Safety: no DTD is loaded, no entity is declared (the handlers for it are absent), no network;
// depth and text length have libxml2's own bounds because XML_PARSE_HUGE is off.
#include "io/xml.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <string.h>

enum { MAX_BYTES = 64 << 20 };

typedef struct Reader {
  SarArena* arena;
  SarError* err;
  xmlParserCtxt* parser;
  const char* text;
  size_t size;
  const char* file;
  XmlTag *root, *open;  // first tag, innermost tag not yet ended
  // where counting of lines has got to
  size_t at;
  int line, column;
  int error_line;  // of the last message, 0: none; one a line, for a slip in XML makes several
  bool no_memory;
} Reader;

// ---- places ----------------------------------------------------------------------------------

static void count_to(Reader* r, size_t offset) {
  for (; r->at < offset; r->at++) {
    unsigned char c = (unsigned char)r->text[r->at];
    if (c == '\n') {
      r->line++;
      r->column = 1;
    } else if ((c & 0xC0) != 0x80) {  // bytes 10xxxxxx continue a UTF-8 character
      r->column++;
    }
  }
}

// Offset of the "<" of the tag the parser has just read, or SIZE_MAX when the parser works on a
// converted copy (UTF-16, Latin-1), where offsets are not those of the text.
static size_t find_tag(const Reader* r) {
  const xmlParserInput* in = r->parser->input;
  if (!in || !in->buf || in->buf->encoder) return SIZE_MAX;
  size_t end = (size_t)in->consumed + (size_t)(in->cur - in->base);
  if (end >= r->size || (r->text[end] != '>' && r->text[end] != '/')) return SIZE_MAX;
  while (end > r->at && r->text[end] != '<') end--;  // "<" cannot stand inside a tag
  return r->text[end] == '<' ? end : SIZE_MAX;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Places of the attribute values: name = "value" ... from offset `p` on, in the order of the tag.
static void locate_attributes(Reader* r, XmlTag* tag, size_t p) {
  p += 1 + strlen(tag->name);
  for (int i = 0; i < tag->attribute_count;) {
    while (p < r->size && is_space(r->text[p])) p++;
    size_t name = p;
    while (p < r->size && !is_space(r->text[p]) && r->text[p] != '=') p++;
    size_t length = p - name;
    while (p < r->size && r->text[p] != '"' && r->text[p] != '\'' && r->text[p] != '>') p++;
    if (p >= r->size || r->text[p] == '>') return;  // the others come from a DTD's defaults
    char quote = r->text[p++];
    XmlAttribute* a = &tag->attributes[i];
    if (strlen(a->name) == length && memcmp(a->name, r->text + name, length) == 0) {
      count_to(r, p);
      a->loc = (SarLoc){r->file, r->line, r->column};
      i++;
    }
    while (p < r->size && r->text[p] != quote) p++;
    p++;
  }
}

// The parser stands at the end of the start tag. A declaration out of place makes a copy of the
// text in the arena, so that places in it last as long as the tree.
static void find_text(const Reader* r, XmlTag* tag) {
  const xmlParserInput* in = r->parser->input;
  const size_t end = (size_t)in->consumed + (size_t)(in->cur - in->base);
  if (r->text[end] != '>') return;
  tag->text = r->text + end + 1;
  const char* next = memchr(tag->text, '<', r->size - end - 1);
  tag->text_size = next ? (size_t)(next - tag->text) : r->size - end - 1;
}

// ---- events of the parser --------------------------------------------------------------------

static void run_out(Reader* r) {
  r->no_memory = true;
  xmlStopParser(r->parser);
}

static char* full_name(SarArena* a, const xmlChar* prefix, const xmlChar* name) {
  const char *p = (const char*)prefix, *n = (const char*)name;
  return prefix ? sar_arena_printf(a, "%s:%s", p, n) : sar_arena_strdup(a, n);
}

static void start_tag(void* context, const xmlChar* name, const xmlChar* prefix, const xmlChar* uri,
                      int namespace_count, const xmlChar** namespaces, int attribute_count,
                      int default_count, const xmlChar** attributes) {
  (void)uri, (void)namespace_count, (void)namespaces, (void)default_count;
  Reader* r = context;
  sar_budget_doing(r->arena->budget, "reading", (SarLoc){r->file, r->line, r->column});
  XmlTag* tag = SAR_ARENA_NEW(r->arena, XmlTag);
  XmlAttribute* list = SAR_ARENA_ARRAY(r->arena, XmlAttribute, attribute_count);
  if (!tag || !list) {
    run_out(r);
    return;
  }
  tag->name = full_name(r->arena, prefix, name);
  tag->attributes = list;
  tag->attribute_count = attribute_count;
  // place of the tag: found in the text, or what the parser says
  size_t offset = find_tag(r);
  if (offset != SIZE_MAX) count_to(r, offset);
  const xmlParserInput* in = r->parser->input;
  tag->loc = offset != SIZE_MAX ? (SarLoc){r->file, r->line, r->column}
                                : (SarLoc){r->file, in ? in->line : 1, in ? in->col : 1};
  // five pointers an attribute: name, prefix, URI, first and one past the last character
  for (int i = 0; i < attribute_count; i++) {
    const xmlChar** a = attributes + 5 * i;
    list[i].name = full_name(r->arena, a[1], a[0]);
    list[i].value = sar_arena_strndup(r->arena, (const char*)a[3], (size_t)(a[4] - a[3]));
    list[i].loc = tag->loc;
  }
  if (r->arena->failed) {
    run_out(r);
    return;
  }
  if (offset != SIZE_MAX) {
    locate_attributes(r, tag, offset);
    find_text(r, tag);
  }
  // into the tree
  tag->parent = r->open;
  if (!r->open)
    r->root = tag;
  else if (r->open->last)
    r->open->last->next = tag;
  else
    r->open->first = tag;
  if (r->open) r->open->last = tag;
  r->open = tag;
}

static void end_tag(void* context, const xmlChar* name, const xmlChar* prefix, const xmlChar* uri) {
  (void)name, (void)prefix, (void)uri;
  Reader* r = context;
  if (r->open) r->open = r->open->parent;
}

// ---- messages --------------------------------------------------------------------------------

static const char* hint_for(int code) {
  switch (code) {
    case XML_ERR_DOCUMENT_EMPTY: return "the file must start with a tag, <robot name=\"...\">";
    case XML_ERR_TAG_NAME_MISMATCH:
    case XML_ERR_TAG_NOT_FINISHED: return "every <tag> ends with </tag>, or with /> at once";
    case XML_ERR_ATTRIBUTE_NOT_STARTED:
    case XML_ERR_ATTRIBUTE_NOT_FINISHED: return "values stand in quotes: name=\"value\"";
    case XML_ERR_LT_IN_ATTRIBUTE: return "is a closing quote missing before it?";
    case XML_ERR_UNDECLARED_ENTITY: return "entities are not expanded; write the character itself";
    case XML_ERR_DOCUMENT_END: return "a file holds one outermost tag";
    default: return "";
  }
}

#if LIBXML_VERSION >= 21200
typedef const xmlError* XmlErrorPointer;
#else
typedef xmlErrorPtr XmlErrorPointer;
#endif

static void on_error(void* context, XmlErrorPointer e) {
  Reader* r = context;
  if (e->code == XML_ERR_NO_MEMORY) r->no_memory = true;
  // prefixes without a namespace (gazebo:..., xacro:...) are common and harmless
  if (e->level < XML_ERR_ERROR || e->domain == XML_FROM_NAMESPACE || r->no_memory) return;
  int line = e->line > 0 ? e->line : 1;
  if (line == r->error_line) return;
  r->error_line = line;
  const char* text = e->message ? e->message : "cannot be read";
  int length = (int)strcspn(text, "\n");
  SarLoc loc = {r->file, line, e->int2 > 0 ? e->int2 : 1};
  sar_report(r->err, loc, hint_for(e->code), "XML: %.*s", length, text);
}

// ---- the whole -------------------------------------------------------------------------------

// Errors without a parser (there is no memory to make one) go to the thread's own handler, which
// prints: it is set aside while we read.
static void ignore_error(void* context, XmlErrorPointer e) { (void)context, (void)e; }

// <?xml version="..." encoding="..."?> is only for the parser, which wants it at the very start and
// of version
// 1. Many robots begin with blank lines, or name version 0.0, and everybody else loads them: then
// it is overwritten by blanks in a copy, so that places stay what they are, and its encoding is
// kept.
static bool pass_declaration(Reader* r, char* encoding, size_t room) {
  const size_t mark = r->at, size = r->size;
  size_t start = mark;
  while (start < size && is_space(r->text[start])) start++;
  if (size - start < 6 || memcmp(r->text + start, "<?xml", 5) != 0 || !is_space(r->text[start + 5]))
    return true;
  size_t end = start;
  while (end + 1 < size && memcmp(r->text + end, "?>", 2) != 0) end++;
  if (end + 1 >= size) return true;  // the parser says what is wrong
  char* head = sar_arena_strndup(r->arena, r->text + start, end - start);
  if (!head) return false;
  const char *version = strstr(head, "version"), *code = strstr(head, "encoding");
  if (version) version += strcspn(version, "\"'");
  const bool known = version && version[0] && strncmp(version + 1, "1.", 2) == 0;
  if (start == mark && known) return true;
  if (code) {
    code += strcspn(code, "\"'");
    const size_t n = code[0] ? strcspn(code + 1, "\"'") : 0;
    if (n > 0 && n < room) memcpy(encoding, code + 1, n);
  }
  char* copy = sar_arena_strndup(r->arena, r->text, size);
  if (!copy) return false;
  for (size_t i = start; i < end + 2; i++)
    if (!is_space(copy[i])) copy[i] = ' ';
  r->text = copy;
  return true;
}

static SarStatus parse(Reader* r) {
  char encoding[32] = "";
  if (!pass_declaration(r, encoding, sizeof encoding)) return SAR_NO_MEMORY;
  r->parser = xmlNewParserCtxt();
  if (!r->parser) return SAR_NO_MEMORY;
  memset(r->parser->sax, 0, sizeof *r->parser->sax);
  r->parser->sax->initialized = XML_SAX2_MAGIC;
  r->parser->sax->startElementNs = start_tag;
  r->parser->sax->endElementNs = end_tag;
  r->parser->sax->serror = on_error;
  r->parser->userData = r;
  xmlDoc* none = xmlCtxtReadMemory(r->parser, r->text, (int)r->size, NULL,
                                   encoding[0] ? encoding : NULL, XML_PARSE_NONET);
  bool well_formed = r->parser->wellFormed && r->root;
  xmlFreeDoc(none);  // NULL: without the tree-building handlers there is none
  xmlFreeParserCtxt(r->parser);
  if (r->no_memory || r->arena->failed) return SAR_NO_MEMORY;
  if (well_formed) return SAR_OK;
  return r->error_line ? SAR_BAD_MODEL
                       : SAR_NO_MEMORY;  // libxml2 explains all but a lack of memory
}

SarStatus sar_xml_read(SarArena* a, const char* text, size_t n, const char* file, XmlTag** root,
                       SarError* err) {
  *root = NULL;
  Reader r = {
      .arena = a, .err = err, .text = text, .size = n, .file = file, .line = 1, .column = 1};
  if (n == 0) r.text = "";
  if (n > MAX_BYTES) {
    sar_report(err, (SarLoc){r.file, 1, 1}, "", "the file has %zu bytes, at most %d are read", n,
               MAX_BYTES);
    return SAR_BAD_MODEL;
  }
  if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) r.at = 3;  // a byte order mark has no column
  xmlStructuredErrorFunc handler = xmlStructuredError;
  void* context = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(NULL, ignore_error);
  xmlInitParser();
  SarStatus status = parse(&r);
  xmlResetLastError();
  xmlSetStructuredErrorFunc(context, handler);
  if (status == SAR_OK) *root = r.root;
  return status;
}

const XmlAttribute* sar_xml_attribute(const XmlTag* tag, const char* name) {
  for (int i = 0; i < tag->attribute_count; i++)
    if (strcmp(tag->attributes[i].name, name) == 0) return &tag->attributes[i];
  return NULL;
}

const XmlTag* sar_xml_child(const XmlTag* tag, const char* name) {
  for (const XmlTag* c = tag->first; c; c = c->next)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}
