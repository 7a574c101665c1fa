// What model descriptions of both versions have in common (document_parts.h).
#include "fmi/document_parts.h"

#include "base/units.h"

#include <string.h>

static bool is_first(const SarFmiDescription* d, int i) {
  for (int k = 0; k < i; k++)
    if (strcmp(d->variable[k].unit, d->variable[i].unit) == 0) return false;
  return true;
}

void sar_fmi_write_units(const SarFmiDocument* a, SarXmlOut* x) {
  const SarFmiDescription* d = a->description;
  sar_xml_open(x, "UnitDefinitions");  // time has one: it is never empty
  for (int i = 0; i < d->count; i++) {
    SarUnit unit;
    const char* name = d->variable[i].unit;
    if (!name[0] || !is_first(d, i) || !sar_unit_parse(name, &unit)) continue;
    sar_xml_open(x, "Unit");
    sar_xml_text(x, "name", name);
    sar_xml_open(x, "BaseUnit");
    for (int k = 0; k < SAR_UNIT_BASES; k++)
      if (unit.exponent[k] != 0) sar_xml_integer(x, sar_unit_base(k), unit.exponent[k]);
    sar_xml_close(x, "BaseUnit");
    sar_xml_close(x, "Unit");
  }
  sar_xml_close(x, "UnitDefinitions");
}

void sar_fmi_write_unit(const SarFmiVariable* v, SarXmlOut* x) {
  SarUnit unit;
  if (v->unit[0] && sar_unit_parse(v->unit, &unit)) sar_xml_text(x, "unit", v->unit);
}

void sar_fmi_write_head(const SarFmiDocument* a, const char* version, const char* token,
                        SarXmlOut* x) {
  sar_xml_text(x, "fmiVersion", version);
  sar_xml_text(x, "modelName", a->name);
  sar_xml_text(x, token, a->description->token);
  sar_xml_text(x, "generationTool", "Sarrus " SARRUS_VERSION);
  sar_xml_text(x, "variableNamingConvention", "flat");
}

void sar_fmi_write_log(SarXmlOut* x) {
  static const char* const category[][2] = {{"logStatusWarning", "warnings of the model"},
                                            {"logStatusError", "what failed, and where"},
                                            {"logEvents", "what was switched on and off"}};
  sar_xml_open(x, "LogCategories");
  for (size_t i = 0; i < sizeof category / sizeof *category; i++) {
    sar_xml_open(x, "Category");
    sar_xml_text(x, "name", category[i][0]);
    sar_xml_text(x, "description", category[i][1]);
    sar_xml_close(x, "Category");
  }
  sar_xml_close(x, "LogCategories");
}

void sar_fmi_write_experiment(const SarFmiDocument* a, SarXmlOut* x) {
  sar_xml_open(x, "DefaultExperiment");
  sar_xml_number(x, "startTime", 0);
  if (a->end > 0) sar_xml_number(x, "stopTime", a->end);
  if (a->tolerance > 0) sar_xml_number(x, "tolerance", a->tolerance);
  if (a->step > 0) sar_xml_number(x, "stepSize", a->step);
  sar_xml_close(x, "DefaultExperiment");
}
