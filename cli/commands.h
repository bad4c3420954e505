/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The commands. Each takes the words behind its name and returns the exit code. */

#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

int command_query(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_step(int argc, char **argv);
int command_sequence(int argc, char **argv);
int command_check(int argc, char **argv);
int command_line_search(int argc, char **argv);
int command_surface(int argc, char **argv);
int command_view(int argc, char **argv);
int command_contact(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_demo(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_methods(int argc, char **argv);

#endif
