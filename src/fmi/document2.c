// modelDescription.xml of FMI 2.0.
#include "fmi/document_parts.h"

static void write_sources(const SarFmiDocument* a, SarXmlOut* x) {
  if (!a->source) return;
  sar_xml_open(x, "SourceFiles");
  for (int i = 0; a->source[i]; i++) {
    sar_xml_open(x, "File");
    sar_xml_text(x, "name", a->source[i]);
    sar_xml_close(x, "File");
  }
  sar_xml_close(x, "SourceFiles");
}

static void write_kind(const SarFmiDocument* a, const char* tag, bool cs, SarXmlOut* x) {
  sar_xml_open(x, tag);
  sar_xml_text(x, "modelIdentifier", a->identifier);
  if (cs) sar_xml_bool(x, "canHandleVariableCommunicationStepSize", true);
  sar_xml_bool(x, "canNotUseMemoryManagementFunctions", true);
  sar_xml_bool(x, "canGetAndSetFMUstate", a->states);
  sar_xml_bool(x, "canSerializeFMUstate", a->states);
  sar_xml_bool(x, "providesDirectionalDerivative", a->derivatives);
  write_sources(a, x);
  sar_xml_close(x, tag);
}

// The place of a variable is its value reference + 1.
static void write_variable(const SarFmiDescription* d, const SarFmiVariable* v, long reference,
                           SarXmlOut* x) {
  static const char* const causality[SAR_FMI_ROLES] = {"independent", "input", "output",
                                                       "parameter",   "local", "local"};
  const bool parameter = v->role == SAR_FMI_PARAMETER, state = v->role == SAR_FMI_STATE;
  sar_xml_open(x, "ScalarVariable");
  sar_xml_text(x, "name", v->name);
  sar_xml_integer(x, "valueReference", reference);
  sar_xml_text(x, "causality", causality[v->role]);
  sar_xml_text(x, "variability", !parameter ? "continuous" : v->tunable ? "tunable" : "fixed");
  if (parameter || state) sar_xml_text(x, "initial", "exact");
  if (v->role == SAR_FMI_OUTPUT || v->role == SAR_FMI_DERIVATIVE)
    sar_xml_text(x, "initial", "calculated");
  sar_xml_open(x, "Real");
  sar_fmi_write_unit(v, x);
  if (parameter || state || v->role == SAR_FMI_INPUT) sar_xml_number(x, "start", v->start);
  if (v->role == SAR_FMI_DERIVATIVE)
    sar_xml_integer(x, "derivative", d->first[SAR_FMI_STATE] + v->index + 1);
  sar_xml_close(x, "Real");
  sar_xml_close(x, "ScalarVariable");
}

static void write_unknowns(const SarFmiDescription* d, SarFmiRole role, SarXmlOut* x) {
  for (int i = 0; i < d->num[role]; i++) {
    sar_xml_open(x, "Unknown");
    sar_xml_integer(x, "index", d->first[role] + i + 1);
    sar_xml_close(x, "Unknown");
  }
}

static void write_list(const SarFmiDescription* d, const char* tag, SarFmiRole role,
                       SarFmiRole other, SarXmlOut* x) {
  if (d->num[role] + (other == role ? 0 : d->num[other]) == 0) return;
  sar_xml_open(x, tag);
  write_unknowns(d, role, x);
  if (other != role) write_unknowns(d, other, x);
  sar_xml_close(x, tag);
}

void sar_fmi2_write(const SarFmiDocument* a, FILE* out) {
  const SarFmiDescription* d = a->description;
  SarXmlOut x;
  sar_xml_begin(&x, out);
  sar_xml_open(&x, "fmiModelDescription");
  sar_fmi_write_head(a, "2.0", "guid", &x);
  if (a->me) sar_xml_integer(&x, "numberOfEventIndicators", a->indicators);
  if (a->me) write_kind(a, "ModelExchange", false, &x);
  if (a->cs) write_kind(a, "CoSimulation", true, &x);
  sar_fmi_write_units(a, &x);
  sar_fmi_write_log(&x);
  sar_fmi_write_experiment(a, &x);
  sar_xml_open(&x, "ModelVariables");
  for (int i = 0; i < d->count; i++) write_variable(d, &d->variable[i], i, &x);
  sar_xml_close(&x, "ModelVariables");
  sar_xml_open(&x, "ModelStructure");
  write_list(d, "Outputs", SAR_FMI_OUTPUT, SAR_FMI_OUTPUT, &x);
  write_list(d, "Derivatives", SAR_FMI_DERIVATIVE, SAR_FMI_DERIVATIVE, &x);
  write_list(d, "InitialUnknowns", SAR_FMI_OUTPUT, SAR_FMI_DERIVATIVE, &x);
  sar_xml_close(&x, "ModelStructure");
  sar_xml_close(&x, "fmiModelDescription");
}
