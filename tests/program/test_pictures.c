// Pictures of mechanisms as files: they are there, of the size asked for, with ink where the engine
// says that bodies are, round where things are round; wrong options are told.
#include "support/program.h"

#ifdef SARRUS_HAVE_CAIRO
#include <cairo.h>

typedef struct Image {
  cairo_surface_t* surface;
  int width, height;
} Image;

static Image open_image(const char* name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", program_folder, name);
  Image i = {.surface = cairo_image_surface_create_from_png(path)};
  assert_int_equal(cairo_surface_status(i.surface), CAIRO_STATUS_SUCCESS);
  i.width = cairo_image_surface_get_width(i.surface);
  i.height = cairo_image_surface_get_height(i.surface);
  return i;
}

static uint32_t pixel(const Image* i, int x, int y) {
  assert_in_range(x, 0, i->width - 1);
  assert_in_range(y, 0, i->height - 1);
  uint32_t p;
  memcpy(&p,
         cairo_image_surface_get_data(i->surface) +
             (size_t)y * (size_t)cairo_image_surface_get_stride(i->surface) + 4 * (size_t)x,
         sizeof p);
  return p & 0xffffff;
}

// Bodies are coloured; paper, grid and letters are grey.
static bool has_color(uint32_t p) {
  const int r = p >> 16 & 0xff, g = p >> 8 & 0xff, b = p & 0xff;
  const int most = r > g ? (r > b ? r : b) : g > b ? g : b;
  const int least = r < g ? (r < b ? r : b) : g < b ? g : b;
  return most - least > 18;
}

static bool is_paper(uint32_t p) {
  return (p >> 16 & 0xff) > 0xe8 && (p >> 8 & 0xff) > 0xe8 && (p & 0xff) > 0xe8;
}

// Free boxes, apart from each other or not, seen from anywhere: at each mass centre there is one to
// be seen.
static void bodies_are_where_the_engine_says(void** state) {
  (void)state;
  for (int trial = 0; trial < test_effort(6); trial++) {
    Rng r = rng_seed(test_seed((uint64_t)trial));
    char text[8192] = "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n", command[300];
    const int n = 2 + rng_int(&r, 20);
    for (int k = 0; k < n; k++) {
      const V3 at = rng_v3(&r, -2, 2), v = rng_v3(&r, -1, 1);
      snprintf(text + strlen(text), sizeof text - strlen(text),
               "  b%d: {at: [%.4f, %.4f, %.4f], box: [%.4f, %.4f, %.4f], mass: 1, velocity: [%.3f, "
               "%.3f, %.3f], angular_velocity: [3, 2, 1]}\n",
               k, at.x, at.y, at.z, rng_uniform(&r, 0.2, 1), rng_uniform(&r, 0.2, 1),
               rng_uniform(&r, 0.2, 1), v.x, v.y, v.z);
    }
    write_file("boxes.yaml", text);
    snprintf(command, sizeof command,
             "plot @boxes.yaml --motion --at 0.2,0.9 --trace none --view=%.1f,%.1f --size 600x500 "
             "--json -o @boxes.png",
             rng_uniform(&r, -180, 180), rng_uniform(&r, -80, 80));
    const Result* result = expect_status_of(sarrus(command), 0);
    Image i = open_image("boxes.png");
    assert_int_equal(json_value(result->out, "width", 0), i.width);
    assert_int_equal(json_value(result->out, "height", 0), i.height);
    EXPECT_NEAR(json_value(result->out, "time", 0), 0.9, 1e-12);
    for (int k = 0; k < n; k++) {
      const double x = json_value(result->out, "x", k), y = json_value(result->out, "y", k);
      if (is_paper(pixel(&i, (int)x, (int)y)))
        fail_msg("seed %d: no ink at body %d, pixel %g %g: %06x", trial, k, x, y,
                 pixel(&i, (int)x, (int)y));
    }
    assert_int_equal(pixel(&i, 1, 1), 0xffffff);
    cairo_surface_destroy(i.surface);
  }
}

static void balls_are_round_and_true_to_scale(void** state) {
  (void)state;
  write_file("ball.yaml",
             "sarrus: 1\ngravity: [0, 0, 0]\nbodies:\n  a: {at: [0, 0, 0], sphere: 0.5, mass: 1}\n"
             "  b: {at: [3, 0, 1], sphere: 0.2, mass: 1}\n");
  const char* const views[] = {"xz", "iso", "100,-30", "zx"};
  for (int v = 0; v < 4; v++) {
    char command[200];
    snprintf(
        command, sizeof command,
        "plot @ball.yaml --motion --at 1 --trace none --view=%s --size 700x500 --json -o @ball.png",
        views[v]);
    const Result* r = expect_status_of(sarrus(command), 0);
    const double scale = json_value(r->out, "pixels_per_metre", 0);
    const double x = json_value(r->out, "x", 0), y = json_value(r->out, "y", 0);
    Image i = open_image("ball.png");
    assert_int_equal(i.width, 700);
    assert_int_equal(i.height, 500);
    // from the centre outwards until the colour ends
    const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (int k = 0; k < 4; k++) {
      int out = 0;
      while (has_color(pixel(&i, (int)x + out * dx[k], (int)y + out * dy[k]))) out++;
      // the rim is dark, and a ball of 40 sides is a little smaller
      EXPECT_NEAR(out, 0.5 * scale, 0.02 * scale + 2.5);
    }
    if (v == 0) {
      EXPECT_NEAR((json_value(r->out, "x", 1) - x) / scale, 3, 1e-6);
      EXPECT_NEAR((y - json_value(r->out, "y", 1)) / scale, 1, 1e-6);
    }
    cairo_surface_destroy(i.surface);
  }
}

static void every_format_is_what_its_name_says(void** state) {
  (void)state;
  const char* const name[] = {"p.png", "p.svg", "p.pdf"};
  const char* const head[] = {"\x89PNG", "<?xm", "%PDF"};
  for (int k = 0; k < 3; k++) {
    char command[200], path[200], text[16] = "";
    snprintf(command, sizeof command,
             "plot examples/pendulum.yaml --motion --end 0.5 --poses 3 --size 400x300 -o @%s",
             name[k]);
    const Result* r = expect_status_of(sarrus(command), 0);
    expect_has(r->out, name[k]);
    expect_lacks(r->err, "nan");
    snprintf(path, sizeof path, "%s/%s", program_folder, name[k]);
    read_all(path, text, sizeof text);
    assert_memory_equal(text, head[k], 4);
  }
}

// A chart of the solution flow: the loops that polynomials solve are green, the others orange.
static void flows_are_drawn(void** state) {
  (void)state;
  const char* const model[] = {"examples/iftomm_a03_andrews.yaml", "examples/iltis.yaml"};
  for (int k = 0; k < 2; k++) {
    char command[200];
    snprintf(command, sizeof command, "equations %s --kinematics --picture @flow.png", model[k]);
    expect_status_of(sarrus(command), 0);
    Image i = open_image("flow.png");
    int green = 0, orange = 0;
    for (int y = 0; y < i.height; y += 4)
      for (int x = 0; x < i.width; x += 4) {
        green += pixel(&i, x, y) == 0xddf0dc;
        orange += pixel(&i, x, y) == 0xfbe3cf;
      }
#ifdef SARRUS_HAVE_FLINT
    if (k == 0) assert_true(green > 3000 && orange == 0);
#endif
    if (k == 1) assert_true(green + orange > 3000);
    cairo_surface_destroy(i.surface);
  }
  char path[200], text[16] = "";
  expect_status_of(sarrus("loops examples/crank_rocker.yaml --picture @flow.svg"), 0);
  snprintf(path, sizeof path, "%s/flow.svg", program_folder);
  read_all(path, text, sizeof text);
  assert_memory_equal(text, "<?xm", 4);
}

// Springs, rods, roads, height fields, contact and its forces, loops, motion in a plane: all come
// out.
static void examples_come_out(void** state) {
  (void)state;
  const char* const options[] = {"examples/quarter_car.yaml --end 0.6 --poses 2",
                                 "examples/iltis.yaml --at 0.2",
                                 "examples/car.yaml --at 0.1 --forces",
                                 "examples/stack.yaml --at 0.1,0.2 --forces --view yz",
                                 "examples/iftomm_a03_andrews.yaml --end 0.002 --poses 1",
                                 "examples/acrobat.yaml --end 0.1 --poses 3 --trace pelvis"};
  const int n = test_effort(6);
  for (int k = 0; k < n && k < 6; k++) {
    char command[300];
    snprintf(command, sizeof command, "plot %s --motion --size 500x400 -o @e.png", options[k]);
    expect_status_of(sarrus(command), 0);
    Image i = open_image("e.png");
    int inked = 0;
    for (int y = 0; y < i.height; y++)
      for (int x = 0; x < i.width; x++) inked += has_color(pixel(&i, x, y));
    assert_in_range(inked, 300, 500 * 400);
    cairo_surface_destroy(i.surface);
  }
}

static void wrong_options_are_told(void** state) {
  (void)state;
  const struct {
    const char *options, *words;
  } wrong[] = {
      {"--motion --view sideways", "--view: expected iso"},
      {"--motion --view xx", "--view: expected iso"},
      {"--motion --view 30", "--view: expected iso"},
      {"--motion --view 30,95", "--view: expected iso"},
      {"--motion --poses 0", "--poses"},
      {"--motion --poses 2.5", "--poses: expected a whole number"},
      {"--motion --poses 61", "--poses: expected a whole number"},
      {"--motion --at 1,0.5", "--at: times must rise"},
      {"--motion --at soon", "--at"},
      {"--motion --at 1 --poses 3", "exclude each other"},
      {"--motion --size 100", "--size: expected WIDTHxHEIGHT"},
      {"--motion --size 100x100", "--size: expected WIDTHxHEIGHT"},
      {"--motion --size 9000x400", "--size: expected WIDTHxHEIGHT"},
      {"--motion --trace nobody", "no point or body is called 'nobody'"},
      {"--view xz", "--view goes with --motion"},
      {"--forces", "--forces goes with --motion"},
      {"--motion -o @p.gif", "FILE.png, FILE.svg or FILE.pdf"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char command[300];
    snprintf(command, sizeof command, "plot examples/pendulum.yaml --end 0.1 %s", wrong[k].options);
    const Result* r = expect_status_of(sarrus(command), 2);
    expect_has(r->err, wrong[k].words);
  }
  expect_status_of(sarrus("plot examples/pendulum.yaml --motion --end 0.1 -o @no/such/folder.png"),
                   2);
}

#else

static void without_cairo_it_is_told(void** state) {
  (void)state;
  const Result* r = sarrus("plot examples/pendulum.yaml --motion --end 0.1 -o @p.png");
  assert_int_not_equal(r->status, 0);
  expect_has(r->err, "built without it");
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
#ifdef SARRUS_HAVE_CAIRO
      cmocka_unit_test(bodies_are_where_the_engine_says),
      cmocka_unit_test(balls_are_round_and_true_to_scale),
      cmocka_unit_test(every_format_is_what_its_name_says),
      cmocka_unit_test(flows_are_drawn),
      cmocka_unit_test(examples_come_out),
      cmocka_unit_test(wrong_options_are_told),
#else
      cmocka_unit_test(without_cairo_it_is_told),
#endif
  };
  return cmocka_run_group_tests(tests, program_begin, program_end);
}
