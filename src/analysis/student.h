// Student's t distribution.
#pragma once

// The t that |T| stays below with this probability (0 .. 1), for whole degrees of freedom >= 1.
double sar_student_quantile(double probability, long freedoms);
