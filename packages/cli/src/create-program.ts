import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addAdminCommand } from './admin/admin-command.js';
import { addCommand, type CommandContext } from './command-line/command.js';
import { flagHelp } from './command-line/flag-option.js';
import { addConformanceCommand } from './conformance/add-conformance-command.js';
import { addControlCommands } from './control/add-control-commands.js';
import { doctorCommand } from './doctor/doctor-command.js';
import { mcpCommand } from './mcp/mcp-command.js';
import { migrateCommand } from './migrate/migrate-command.js';
import { sandboxCommand } from './sandbox/sandbox-command.js';
import { serveCommand } from './serve/serve-command.js';

/** Surroundings of the command tree. */
export interface ProgramContext extends CommandContext {
  /** Receives what commander writes: help and errors about commands. */
  readonly output: { writeOut(text: string): void; writeErr(text: string): void };
}

/** The command tree of `latchkey`. */
export function createProgram(version: string, { output, ...context }: ProgramContext): Command {
  const program = new Command('latchkey')
    .usage('<command> [flags]')
    .optionsGroup('Flags:')
    .description('Latchkey: memberships with sign-in, and a sandbox for developers.')
    .version(version, '-v, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print the help of a command.')
    .helpCommand('help [command]', 'Prints the help of a command.')
    // Otherwise "latchkey serve --version" would print the version.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(output)
    .configureHelp(flagHelp);
  addCommand(program, serveCommand, context);
  addCommand(program, sandboxCommand, context);
  addCommand(program, migrateCommand, context);
  addCommand(program, doctorCommand, context);
  addConformanceCommand(program, context);
  addAdminCommand(program, context);
  addControlCommands(program, context);
  addCommand(program, mcpCommand, context);
  // Adds "latchkey complete <shell>", which prints a completion script.
  tab(program);
  program.addHelpText(
    'after',
    '\nExamples:\n  latchkey sandbox\n  latchkey logs --follow\n\nStart with: latchkey sandbox',
  );
  return program;
}
