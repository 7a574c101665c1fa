// What the sensors of MJCF share: mjcf_sensors.c, and those of frames, mjcf_frames.c.
#pragma once
#include "io/mjcf.h"

typedef struct MjcfSensor {
  const XmlTag* tag;
  SpecName name;
} MjcfSensor;

// A column of an expression, NAME or NAME.suffix, and NAME.x, NAME.y, NAME.z.
void sar_mjcf_sensor_text(Mjcf* m, const MjcfSensor* s, const char* suffix, const char* text);
void sar_mjcf_sensor_vector(Mjcf* m, const MjcfSensor* s, const char* const text[3]);
// The name in an attribute that must be given; what it names is not there; it is not taken.
SpecName sar_mjcf_sensor_needs(Mjcf* m, const MjcfSensor* s, const char* key);
void sar_mjcf_sensor_lacks(Mjcf* m, const MjcfSensor* s, const char* key, SpecName name);
void sar_mjcf_sensor_left(Mjcf* m, const MjcfSensor* s, const char* why);

void sar_mjcf_frame_sensor(Mjcf* m, const MjcfSensor* s);
const SpecBody* sar_mjcf_spec_body(const Mjcf* m, const char* name);  // NULL: none
// Mass centre and mass of a body, where the file gives them as numbers.
bool sar_mjcf_mass_of(const SpecBody* b, double* mass, V3* com);
// A point of a body for a sensor.
bool sar_mjcf_put_point(Mjcf* m, const char* name, SpecName body, Xform X, MjcfSite* out);
