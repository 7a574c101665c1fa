// A Cortex-M7 without an operating system, for tests of generated code: vectors, the floating-point
// unit, output and end by semihosting (Arm IHI semihosting: operations SYS_WRITE0 and SYS_EXIT_EXTENDED),
// and how much of the stack was used. No heap: what would allocate does not link.
#include <stdarg.h>
#include <stdint.h>

extern uint32_t stack_bottom[], stack_top[], bss_start[], bss_end[];
int main(void);
int controller_print(const char* format, ...);
void controller_reset(void);

static const uint32_t PAINT = 0xa5a5a5a5u;

static int call_host(int operation, const void* argument) {
  register int r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static void end(uint32_t status) {
  const uint32_t block[2] = {0x20026u, status};  // the application ended by itself
  call_host(0x20, block);
  for (;;) continue;
}

// ---- text ----------------------------------------------------------------------------------------

typedef struct Text {
  char at[400];
  unsigned n;
} Text;

static void put(Text* t, char c) {
  if (t->n + 1 < sizeof t->at) t->at[t->n++] = c;
}

static void put_number(Text* t, unsigned x) {
  char digit[12];
  int n = 0;
  do digit[n++] = (char)('0' + x % 10);
  while ((x /= 10) > 0);
  while (n > 0) put(t, digit[--n]);
}

// One digit and a power of ten: for differences.
static void put_power(Text* t, double x) {
  int power = 0;
  if (!(x >= 0 && x < 1e300)) {
    put(t, '?');
    return;
  }
  while (x > 0 && x < 1 && power > -400) x *= 10, power--;
  while (x >= 10) x /= 10, power++;
  put(t, (char)('0' + (int)x));
  put(t, 'e');
  if (power < 0) put(t, '-');
  put_number(t, (unsigned)(power < 0 ? -power : power));
}

// What the tests print: %.1e, %d, %u.
int controller_print(const char* format, ...) {
  Text t = {.n = 0};
  va_list args;
  va_start(args, format);
  for (const char* c = format; *c; c++) {
    if (*c != '%') {
      put(&t, *c);
      continue;
    }
    while (*++c && *c != 'e' && *c != 'd' && *c != 'u') continue;
    if (*c == 'e')
      put_power(&t, va_arg(args, double));
    else
      put_number(&t, va_arg(args, unsigned));
  }
  va_end(args);
  t.at[t.n] = '\0';
  call_host(0x04, t.at);
  return (int)t.n;
}

// ---- the start -----------------------------------------------------------------------------------

__attribute__((noinline)) static int run(void) {
  uint32_t* here = (uint32_t*)__builtin_frame_address(0) - 64;
  for (uint32_t* p = stack_bottom; p < here; p++) *p = PAINT;
  const int status = main();
  const uint32_t* used = stack_bottom;
  while (used < stack_top && *used == PAINT) used++;
  controller_print("stack %u bytes\n", (unsigned)(4 * (stack_top - used)));
  return status;
}

void controller_reset(void) {
  *(volatile uint32_t*)0xe000ed88u |= 0xfu << 20;  // CPACR: coprocessors 10 and 11
  __asm__ volatile("dsb\n isb");
  for (uint32_t* p = bss_start; p < bss_end; p++) *p = 0;
  end((uint32_t)run());
}

static void fault(void) { end(99); }

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top, controller_reset, fault, fault, fault, fault, fault};
