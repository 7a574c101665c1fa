// sarrus loops: how the dependent coordinates of a mechanism follow from the independent ones
// (solution flow of the kinematics, as in Figs. 2 and 6 of Uchida and McPhee 2012).
#include "cli/cli.h"
#include "cli/flow.h"

static const CliOption options[] = {
    {"latex", 0, NULL, "Print a LaTeX table of the polynomials.", NULL},
    {"picture", 0, "FILE", "Draw the flow into FILE.svg, FILE.png or FILE.pdf too.", "file"},
    CLI_SET,
    CLI_COORDINATES,
    CLI_PATH,
    {0}};

const CliCommand cli_command_loops = {
    .name = "loops",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Show how loops are solved.",
    .text =
        "Chooses independent coordinates and shows the order in which the others follow from them, "
        "block by block: by a row that gives one, by polynomials one after the other (a "
        "lexicographic Groebner basis; degree, terms and longest coefficient of each), or by "
        "Newton's method, with the reason. It is what formulation 'embedding' does with "
        "--kinematics block.",
    .examples =
        "sarrus loops crank.yaml\tthe flow of a slider-crank\n"
        "sarrus loops crank.yaml --picture flow.svg\tits chart\n"
        "sarrus loops crank.yaml --json\tfor a script",
    .options = options,
    .run = flow_show,
};
