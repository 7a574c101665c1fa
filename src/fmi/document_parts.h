// What the documents of both versions have in common.
#pragma once
#include "fmi/document.h"
#include "fmi/xml_out.h"

// <UnitDefinitions>, if there are units that can be told in base units.
void sar_fmi_write_units(const SarFmiDocument* a, SarXmlOut* x);
// Of the open tag: unit, if it is defined.
void sar_fmi_write_unit(const SarFmiVariable* v, SarXmlOut* x);
// Version and time of writing are left out: the same model gives the same bytes.
void sar_fmi_write_head(const SarFmiDocument* a, const char* version, const char* token,
                        SarXmlOut* x);
void sar_fmi_write_log(SarXmlOut* x);
void sar_fmi_write_experiment(const SarFmiDocument* a, SarXmlOut* x);
