import { Command } from 'commander';
import type { CommandContext } from './command-line/command.js';
import { flagHelp } from './command-line/flag-option.js';

/** What the command tree works with. */
export interface ProgramContext extends CommandContext {
  /** Receives what commander writes: help and errors about commands. */
  readonly output: { writeOut(text: string): void; writeErr(text: string): void };
}

export type AddCommands = (program: Command, context: CommandContext) => void;

/** Creates the command tree of `latchkey`, with these commands. */
export function createProgram(
  version: string,
  { output, ...context }: ProgramContext,
  addCommands: AddCommands,
): Command {
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
  addCommands(program, context);
  return program;
}
