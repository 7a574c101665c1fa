// Bare copies (bare.h). Contact, pictures, keyframes, tendons that are not taken and what the
// installed MuJoCo's own schema does not list are taken out; moments of inertia that are given as a
// full matrix become principal ones, because MuJoCo's own eigenvectors end at a cosine of 1 -
// 1e-12.
#include "bare.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <limits.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, LONG = 64, DEPTH = 8 };

// ---- what the library knows ------------------------------------------------------------------

static struct { char within[LONG], name[LONG], attributes[1000]; } known[MOST];
static int nknown;

// Lines "  name (?)  attribute attribute", three blanks a level; lines without a name go on with
// the last.
void bare_learn(void) {
  static char text[1 << 17];
  char level[DEPTH + 1][LONG] = {"mujoco"};
  mj_printSchema(NULL, text, sizeof text, 0, 1);
  for (char* line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const int blanks = (int)strspn(line, " ");
    char name[LONG] = "";
    const char* rest = line + blanks;
    if (strncmp(rest, "(world)", 7) == 0) rest += 7;
    if (blanks < 24 && sscanf(rest, "%63s (%*[^)])", name) == 1 && strchr(rest, '(')) {
      const int depth = blanks / 3 < DEPTH ? blanks / 3 : DEPTH;
      snprintf(level[depth], LONG, "%s", name);
      if (nknown == MOST) return;
      snprintf(known[nknown].within, LONG, "%s", depth ? level[depth - 1] : "");
      snprintf(known[nknown].name, LONG, "%s", name);
      nknown++;
      rest = strchr(rest, ')') + 1;
    }
    if (nknown == 0) continue;
    char* all = known[nknown - 1].attributes;
    const size_t n = strlen(all);
    snprintf(all + n, sizeof known[0].attributes - n, " %s ", rest);
  }
}

static const char* section(const xmlNode* n) {
  const char* name = n && n->type == XML_ELEMENT_NODE ? (const char*)n->name : "";
  return strcmp(name, "worldbody") == 0 ? "body" : name;
}

static bool is(const xmlNode* n, const char* name) {
  return n->type == XML_ELEMENT_NODE && strcmp((const char*)n->name, name) == 0;
}

static const char* attributes_of(const xmlNode* n) {
  if (is(n, "worldbody") || is(n, "default")) return " class name childclass ";
  const bool body = is(n, "body");  // in the schema it stands in itself
  for (int i = 0; i < nknown; i++)
    if (strcmp(known[i].name, (const char*)n->name) == 0 &&
        (body || strcmp(known[i].within, section(n->parent)) == 0))
      return known[i].attributes;
  return NULL;
}

// ---- taking out ------------------------------------------------------------------------------

static void note(Bare* out, const char* name) {
  char word[LONG + 2];
  snprintf(word, sizeof word, "%.62s ", name);
  if (strstr(out->dropped, word)) return;
  const size_t n = strlen(out->dropped);
  snprintf(out->dropped + n, sizeof out->dropped - n, "%s", word);
}

static void drop(xmlNode* n) {
  xmlUnlinkNode(n);
  xmlFreeNode(n);
}

static bool is_one_of(const xmlNode* n, const char* words) {
  char word[LONG + 2];
  snprintf(word, sizeof word, " %.60s ", (const char*)n->name);
  return strstr(words, word) != NULL;
}

static bool has(xmlNode* n, const char* name) { return xmlHasProp(n, BAD_CAST name) != NULL; }

static bool has_child(const xmlNode* n, const char* name) {
  for (const xmlNode* c = n->children; c; c = c->next)
    if (is(c, name)) return true;
  return false;
}

// Tendons that are not taken, and what works on them or on an actuator that is dropped.
static const char* left = "";

static bool is_left(xmlNode* n) {
  char word[LONG + 4];
  xmlChar* name = xmlGetProp(n, BAD_CAST "name");
  snprintf(word, sizeof word, " '%.60s' ", name ? (const char*)name : "");
  xmlFree(name);
  return strstr(left, word) != NULL;
}

static char gone[MOST][LONG];
static int ngone;

static bool works_on_dropped(xmlNode* n) {
  static const char* const keys[] = {"tendon", "actuator"};
  for (int k = 0; k < 2; k++) {
    xmlChar* name = xmlGetProp(n, BAD_CAST keys[k]);
    bool found = false;
    for (int i = 0; name && i < ngone; i++) found |= strcmp(gone[i], (char*)name) == 0;
    xmlFree(name);
    if (found) return true;
  }
  return false;
}

static bool is_of_picture(xmlNode* n) {
  static const char* const keys[] = {"objtype", "reftype"};
  bool found = has(n, "geom") || has(n, "camera");
  for (int k = 0; k < 2; k++) {
    xmlChar* type = xmlGetProp(n, BAD_CAST keys[k]);
    found |= type && (strcmp((char*)type, "geom") == 0 || strcmp((char*)type, "camera") == 0);
    xmlFree(type);
  }
  return found;
}

static bool is_idle(xmlNode* n);

// Geoms that tendons wrap around.
static char wrapped[MOST][LONG];
static int nwrapped;

static void find_wrapped(xmlNode* n) {
  for (xmlNode* c = n->children; c; c = c->next) {
    find_wrapped(c);
    if (!is(c, "geom") || !is(n, "spatial") || nwrapped == MOST) continue;
    xmlChar* name = xmlGetProp(c, BAD_CAST "geom");
    snprintf(wrapped[nwrapped++], LONG, "%s", name ? (const char*)name : "");
    xmlFree(name);
  }
}

static bool is_wrapped(xmlNode* geom) {
  xmlChar* name = xmlGetProp(geom, BAD_CAST "name");
  bool found = false;
  for (int i = 0; name && i < nwrapped; i++) found |= strcmp(wrapped[i], (char*)name) == 0;
  xmlFree(name);
  return found;
}

// Names of tendons and actuators that will be dropped; tendons first.
static void find_dropped(xmlNode* root, const char* section_name) {
  for (xmlNode* s = root->children; s; s = s->next) {
    if (!is(s, section_name)) continue;
    for (xmlNode* n = s->children; n && ngone < MOST; n = n->next) {
      if (n->type != XML_ELEMENT_NODE || !is_idle(n)) continue;
      xmlChar* name = xmlGetProp(n, BAD_CAST "name");
      if (name) snprintf(gone[ngone++], LONG, "%s", (char*)name);
      xmlFree(name);
    }
  }
}

static bool is_idle(xmlNode* n) {
  static const char everywhere[] =
      " visual statistic size custom keyframe contact extension deformable camera light texture "
      "material hfield skin model plugin muscle adhesion cable pair ";
  const char* within = section(n->parent);
  if (is_one_of(n, everywhere)) return true;
  if (strcmp(within, "actuator") == 0)
    return has(n, "body") || has(n, "cranksite") || has(n, "refsite") || works_on_dropped(n);
  if (strcmp(within, "tendon") == 0) return is_left(n);
  if (strcmp(within, "sensor") == 0) return is_of_picture(n) || works_on_dropped(n);
  if (strcmp(within, "equality") == 0) return is(n, "tendon") || has(n, "site1");
  // what gives no mass
  return is(n, "geom") && strcmp(within, "body") == 0 && !is_wrapped(n) &&
         (is(n->parent, "worldbody") || has_child(n->parent, "inertial"));
}

// Names for what has none, so that both engines call it the same.
static void put_name(xmlNode* n) {
  static int count;
  char name[40];
  const char* within = section(n->parent);
  const bool joint = strcmp(within, "body") == 0 && is_one_of(n, " joint freejoint ");
  const bool of_section = strstr(" actuator tendon sensor ", within) && within[0];
  if ((!joint && !of_section) || has(n, "name")) return;
  snprintf(name, sizeof name, "without_name_%d", ++count);
  xmlSetProp(n, BAD_CAST "name", BAD_CAST name);
}

static void clean(xmlNode* n, Bare* out) {
  put_name(n);
  const char* attributes = attributes_of(n);
  for (xmlAttr *a = n->properties, *next; a; a = next) {
    char word[LONG + 2];
    next = a->next;
    snprintf(word, sizeof word, " %.60s ", (const char*)a->name);
    const bool idle = strstr(" user  material  cutoff ", word) != NULL;
    if (strcmp(word, " assetdir ") == 0) continue;  // stands for meshdir, see put_options
    if (!idle && attributes && strstr(attributes, word)) continue;
    if (!idle) note(out, (const char*)a->name);
    xmlRemoveProp(a);
  }
}

static void walk(xmlNode* n, Bare* out) {
  for (xmlNode *c = n->children, *next; c; c = next) {
    next = c->next;
    if (c->type != XML_ELEMENT_NODE || is_idle(c)) {
      drop(c);
      continue;
    }
    if (is_one_of(c, " frame attach replicate composite flexcomp "))
      snprintf(out->why, sizeof out->why, "<%s> is not known to this MuJoCo", (const char*)c->name);
    const bool kept = is_one_of(c, " worldbody default ") || attributes_of(c);
    if (!kept) note(out, (const char*)c->name);
    if (!kept) {
      drop(c);
      continue;
    }
    out->geoms = out->geoms || (is(c, "geom") && strcmp(section(n), "body") == 0);
    out->loops = out->loops || strcmp(section(n), "equality") == 0;
    clean(c, out);
    walk(c, out);
  }
}

// ---- putting in ------------------------------------------------------------------------------

static bool include(xmlNode* n, const char* folder, int depth) {
  for (xmlNode *c = n->children, *next; c; c = next) {
    next = c->next;
    if (!is(c, "include")) {
      if (!include(c, folder, depth)) return false;
      continue;
    }
    char path[1000];
    xmlChar* file = xmlGetProp(c, BAD_CAST "file");
    snprintf(path, sizeof path, "%.490s/%.490s", folder, file ? (const char*)file : "");
    xmlFree(file);
    xmlDoc* doc =
        depth < DEPTH
            ? xmlReadFile(path, NULL, XML_PARSE_NODICT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)
            : NULL;
    xmlNode* root = doc ? xmlDocGetRootElement(doc) : NULL;
    if (!root || !include(root, folder, depth + 1)) return false;
    for (xmlNode *k = root->children, *after; k; k = after) {
      after = k->next;
      xmlUnlinkNode(k);
      xmlAddPrevSibling(c, k);
    }
    xmlFreeDoc(doc);
    drop(c);
  }
  return true;
}

static void put_numbers(xmlNode* n, const char* name, const double* x, int count) {
  char text[200] = "";
  for (int i = 0, at = 0; i < count; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "%s%.17g", i ? " " : "", x[i]);
  xmlSetProp(n, BAD_CAST name, BAD_CAST text);
}

static xmlNode* child(xmlNode* n, const char* name) {
  for (xmlNode* c = n->children; c; c = c->next)
    if (is(c, name)) return c;
  return xmlNewChild(n, NULL, BAD_CAST name, NULL);
}

static void put_options(xmlNode* root, const char* folder, bool with_loops) {
  char path[1000];
  xmlNode *compiler = child(root, "compiler"), *option = child(root, "option");
  for (xmlAttr *a = option->properties, *next; a; a = next) {
    next = a->next;
    if (strcmp((const char*)a->name, "timestep") != 0 &&
        strcmp((const char*)a->name, "gravity") != 0)
      xmlRemoveProp(a);
  }
  if (!has(compiler, "autolimits")) xmlSetProp(compiler, BAD_CAST "autolimits", BAD_CAST "true");
  xmlChar* dir = xmlGetProp(compiler, BAD_CAST(has(compiler, "meshdir") ? "meshdir" : "assetdir"));
  xmlUnsetProp(compiler, BAD_CAST "assetdir");
  snprintf(path, sizeof path, "%.490s/%.490s", folder, dir ? (const char*)dir : "");
  xmlSetProp(compiler, BAD_CAST "meshdir", BAD_CAST path);
  xmlFree(dir);
  xmlNode* flag = child(option, "flag");
  for (xmlAttr *a = flag->properties, *next; a; a = next) next = a->next, xmlRemoveProp(a);
  static const char* const off[] = {"contact", "limit", "frictionloss"};
  for (int i = 0; with_loops && i < 3; i++) xmlSetProp(flag, BAD_CAST off[i], BAD_CAST "disable");
  if (!with_loops) xmlSetProp(flag, BAD_CAST "constraint", BAD_CAST "disable");
}

// A = R diag R' by cyclic Jacobi
static void principal(double A[3][3], double R[3][3]) {
  for (int sweep = 0; sweep < 60; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (A[p][q] == 0) continue;
        const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]), c = cos(angle),
                     s = sin(angle);
        for (int k = 0; k < 3; k++) {
          const double x = A[k][p], y = A[k][q];
          A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
          const double x = A[p][k], y = A[q][k];
          A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
          const double x = R[k][p], y = R[k][q];
          R[k][p] = c * x - s * y, R[k][q] = s * x + c * y;
        }
      }
}

// Full matrices of inertia -> principal moments and axes.
static void straighten(xmlNode* n) {
  for (xmlNode* c = n->children; c; c = c->next) {
    straighten(c);
    if (!is(c, "inertial") || !has(c, "fullinertia")) continue;
    double x[6] = {0};
    xmlChar* text = xmlGetProp(c, BAD_CAST "fullinertia");
    const char* at = (const char*)text;
    for (int i = 0; i < 6; i++) x[i] = strtod(at, (char**)&at);
    xmlFree(text);
    double A[3][3] = {{x[0], x[3], x[4]}, {x[3], x[1], x[5]}, {x[4], x[5], x[2]}};
    double R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    principal(A, R);
    const double turned[9] = {R[0][0], R[0][1], R[0][2], R[1][0], R[1][1],
                              R[1][2], R[2][0], R[2][1], R[2][2]};
    const double moments[3] = {A[0][0], A[1][1], A[2][2]};
    double quat[4];
    mju_mat2Quat(quat, turned);
    xmlUnsetProp(c, BAD_CAST "fullinertia");
    put_numbers(c, "diaginertia", moments, 3);
    put_numbers(c, "quat", quat, 4);
  }
}

// Length and rate of each tendon as sensors.
static void measure_tendons(xmlNode* root) {
  static const char* const kinds[] = {"tendonpos", "tendonvel"};
  for (xmlNode* s = root->children; s; s = s->next) {
    if (!is(s, "tendon")) continue;
    for (xmlNode* n = s->children; n; n = n->next) {
      xmlChar* name = n->type == XML_ELEMENT_NODE ? xmlGetProp(n, BAD_CAST "name") : NULL;
      for (int k = 0; name && k < 2; k++) {
        char own[LONG + 20];
        xmlNode* sensor = xmlNewChild(child(root, "sensor"), NULL, BAD_CAST kinds[k], NULL);
        snprintf(own, sizeof own, "measured_%s_%.40s", kinds[k], (char*)name);
        xmlSetProp(sensor, BAD_CAST "name", BAD_CAST own);
        xmlSetProp(sensor, BAD_CAST "tendon", name);
      }
      xmlFree(name);
    }
  }
}

bool bare_write(const char* path, const char* to, bool with_loops, Bare* out) {
  char folder[PATH_MAX];
  Bare fresh = {.dropped = ""};
  memcpy(fresh.left, out->left, sizeof fresh.left);
  *out = fresh;
  left = out->left;
  if (!realpath(path, folder)) return false;
  char* slash = strrchr(folder, '/');
  snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
  xmlDoc* doc = xmlReadFile(path, NULL, XML_PARSE_NODICT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  xmlNode* root = doc ? xmlDocGetRootElement(doc) : NULL;
  bool done = root && include(root, folder, 0);
  if (!done) snprintf(out->why, sizeof out->why, "cannot be read");
  if (done) {
    ngone = 0;
    nwrapped = 0;
    find_wrapped(root);
    find_dropped(root, "tendon");
    find_dropped(root, "actuator");
    walk(root, out);
    measure_tendons(root);
    if (!out->geoms)
      for (xmlNode *c = root->children, *next; c; c = next) {
        next = c->next;
        if (is(c, "asset")) drop(c);
      }
    straighten(root);
    put_options(root, folder, with_loops);
    done = !out->why[0] && xmlSaveFile(to, doc) >= 0;
  }
  xmlFreeDoc(doc);
  return done;
}
