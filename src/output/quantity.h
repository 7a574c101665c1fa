// What a column of results measures, told from the end of its name.
#pragma once

// "position [m]", "energy error [J]": columns with the same answer are drawn together. The name
// itself where nothing is known.
const char* sar_quantity_of(const char* column);
