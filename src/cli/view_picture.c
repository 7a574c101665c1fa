// `sarrus view --png` and `--video` (view_picture.h).
#include "cli/view_picture.h"

#include "cli/picture.h"
#include "cli/view_video.h"

int view_picture(const CliArgs* args, const SimulateJob* job) {
  const char *png = cli_value(args, "png"), *video = cli_value(args, "video");
  if (png && video) return cli_usage_error(args->command, "--png and --video exclude each other");
  if (args->operand_count != 1)
    return cli_usage_error(args->command, "--%s draws one MODEL", png ? "png" : "video");
  return png ? picture_still(args, png) : view_video(args, job, video);
}
