import type { Command } from 'commander';
import { addCommand, type CommandContext, type CommandDefinition } from '../command-line/command.js';
import { eventsList, resend } from './event-commands.js';
import { faultCommands } from './fault-commands.js';
import { listen } from './listen-command.js';
import { logCommands, logsList } from './log-commands.js';
import { paymentCommands, paymentsList } from './payment-commands.js';
import { seed } from './seed-command.js';
import { clockCommands, clockShow, reset, snapshotCommands } from './state-commands.js';
import { trigger } from './trigger-command.js';

/** A command that calls a sandbox, with the commands below it. */
export interface ControlCommandTree {
  /** A group has only a name and a summary. */
  readonly command: CommandDefinition | Pick<CommandDefinition, 'name' | 'summary'>;
  readonly commands: readonly CommandDefinition[];
}

/** The commands that call a sandbox, in the order of the help. */
export const CONTROL_COMMANDS: readonly ControlCommandTree[] = [
  { command: clockShow, commands: clockCommands },
  { command: logsList, commands: logCommands },
  { command: eventsList, commands: [] },
  { command: resend, commands: [] },
  { command: paymentsList, commands: paymentCommands },
  { command: trigger, commands: [] },
  { command: listen, commands: [] },
  {
    command: {
      name: 'fault',
      summary: 'Faults of a sandbox, to test what your site does then: add, list, clear.',
    },
    commands: faultCommands,
  },
  {
    command: {
      name: 'snapshot',
      summary: 'Snapshots of a sandbox: save, load, list, export, import.',
    },
    commands: snapshotCommands,
  },
  { command: reset, commands: [] },
  { command: seed, commands: [] },
];

export function addControlCommands(program: Command, context: CommandContext): void {
  for (const { command, commands } of CONTROL_COMMANDS) {
    const parent =
      'run' in command ? addCommand(program, command, context) : addGroup(program, command, commands);
    parent.helpCommand(false);
    for (const child of commands) addCommand(parent, child, context);
  }
}

function addGroup(
  program: Command,
  { name, summary }: Pick<CommandDefinition, 'name' | 'summary'>,
  commands: readonly CommandDefinition[],
): Command {
  const examples = commands.flatMap(({ examples: [first] }) => (first === undefined ? [] : [`  ${first}`]));
  return program
    .command(name)
    .summary(summary)
    .description(summary)
    .usage('<command> [flags]')
    .optionsGroup('Flags:')
    .addHelpText('after', ['', 'Examples:', ...examples].join('\n'));
}
