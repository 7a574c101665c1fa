// modelDescription.xml of FMI 3.0, and buildDescription.xml.
#include "fmi/document_parts.h"

static void write_kind(const SarFmiDocument* a, const char* tag, bool cs, SarXmlOut* x) {
  sar_xml_open(x, tag);
  sar_xml_text(x, "modelIdentifier", a->identifier);
  sar_xml_bool(x, "canGetAndSetFMUState", a->states);
  sar_xml_bool(x, "canSerializeFMUState", a->states);
  sar_xml_bool(x, "providesDirectionalDerivatives", a->derivatives);
  if (cs) {
    if (a->fixed_steps && a->step > 0) sar_xml_number(x, "fixedInternalStepSize", a->step);
    sar_xml_bool(x, "canHandleVariableCommunicationStepSize", true);
    sar_xml_bool(x, "providesIntermediateUpdate", !a->source);
    sar_xml_bool(x, "canReturnEarlyAfterIntermediateUpdate", !a->source);
    sar_xml_bool(x, "hasEventMode", !a->source);
  } else {
    sar_xml_bool(x, "needsCompletedIntegratorStep", true);
  }
  sar_xml_close(x, tag);
}

static void write_variable(const SarFmiDescription* d, const SarFmiVariable* v, long reference,
                           SarXmlOut* x) {
  static const char* const causality[SAR_FMI_ROLES] = {"independent", "input", "output",
                                                       "parameter",   "local", "local"};
  const bool parameter = v->role == SAR_FMI_PARAMETER, state = v->role == SAR_FMI_STATE;
  sar_xml_open(x, "Float64");
  sar_xml_text(x, "name", v->name);
  sar_xml_integer(x, "valueReference", reference);
  sar_xml_text(x, "causality", causality[v->role]);
  sar_xml_text(x, "variability", !parameter ? "continuous" : v->tunable ? "tunable" : "fixed");
  if (parameter || state) sar_xml_text(x, "initial", "exact");
  sar_fmi_write_unit(v, x);
  if (v->role == SAR_FMI_DERIVATIVE)
    sar_xml_integer(x, "derivative", d->first[SAR_FMI_STATE] + v->index);
  if (parameter || state || v->role == SAR_FMI_INPUT) sar_xml_number(x, "start", v->start);
  sar_xml_close(x, "Float64");
}

static void write_unknowns(const SarFmiDescription* d, const char* tag, SarFmiRole role,
                           SarXmlOut* x) {
  for (int i = 0; i < d->num[role]; i++) {
    sar_xml_open(x, tag);
    sar_xml_integer(x, "valueReference", d->first[role] + i);
    sar_xml_close(x, tag);
  }
}

// Event indicators are unknowns of the structure, and variables: behind all others.
static void write_indicator(int i, long reference, SarXmlOut* x) {
  char name[40];
  snprintf(name, sizeof name, "indicators[%d]", i + 1);
  sar_xml_open(x, "Float64");
  sar_xml_text(x, "name", name);
  sar_xml_integer(x, "valueReference", reference);
  sar_xml_text(x, "causality", "local");
  sar_xml_text(x, "variability", "continuous");
  sar_xml_close(x, "Float64");
}

static void write_structure(const SarFmiDocument* a, SarXmlOut* x) {
  const SarFmiDescription* d = a->description;
  sar_xml_open(x, "ModelStructure");
  write_unknowns(d, "Output", SAR_FMI_OUTPUT, x);
  write_unknowns(d, "ContinuousStateDerivative", SAR_FMI_DERIVATIVE, x);
  write_unknowns(d, "InitialUnknown", SAR_FMI_OUTPUT, x);
  write_unknowns(d, "InitialUnknown", SAR_FMI_DERIVATIVE, x);
  for (int i = 0; a->me && i < a->indicators; i++) {
    sar_xml_open(x, "EventIndicator");
    sar_xml_integer(x, "valueReference", d->count + i);
    sar_xml_close(x, "EventIndicator");
  }
  sar_xml_close(x, "ModelStructure");
}

void sar_fmi3_write(const SarFmiDocument* a, FILE* out) {
  const SarFmiDescription* d = a->description;
  SarXmlOut x;
  sar_xml_begin(&x, out);
  sar_xml_open(&x, "fmiModelDescription");
  sar_fmi_write_head(a, "3.0", "instantiationToken", &x);
  if (a->me) write_kind(a, "ModelExchange", false, &x);
  if (a->cs) write_kind(a, "CoSimulation", true, &x);
  sar_fmi_write_units(a, &x);
  sar_fmi_write_log(&x);
  sar_fmi_write_experiment(a, &x);
  sar_xml_open(&x, "ModelVariables");
  for (int i = 0; i < d->count; i++) write_variable(d, &d->variable[i], i, &x);
  for (int i = 0; a->me && i < a->indicators; i++) write_indicator(i, d->count + i, &x);
  sar_xml_close(&x, "ModelVariables");
  write_structure(a, &x);
  sar_xml_close(&x, "fmiModelDescription");
}

void sar_fmi3_write_build(const SarFmiDocument* a, FILE* out) {
  SarXmlOut x;
  sar_xml_begin(&x, out);
  sar_xml_open(&x, "fmiBuildDescription");
  sar_xml_text(&x, "fmiVersion", "3.0");
  sar_xml_open(&x, "BuildConfiguration");
  sar_xml_text(&x, "modelIdentifier", a->identifier);
  sar_xml_open(&x, "SourceFileSet");
  sar_xml_text(&x, "language", "C11");
  for (int i = 0; a->source && a->source[i]; i++) {
    sar_xml_open(&x, "SourceFile");
    sar_xml_text(&x, "name", a->source[i]);
    sar_xml_close(&x, "SourceFile");
  }
  sar_xml_close(&x, "SourceFileSet");
  sar_xml_close(&x, "BuildConfiguration");
  sar_xml_close(&x, "fmiBuildDescription");
}
