import type { Command } from 'commander';
import { addCommand, type CommandContext } from '../command-line/command.js';
import { addCallerCommand } from './caller-command.js';
import { conformanceCommand } from './conformance-command.js';
import { sandboxDriverCommand } from './sandbox-driver-command.js';
import { sandboxFixturesCommand } from './sandbox-fixtures-command.js';

/** Adds `latchkey conformance` and its commands. */
export function addConformanceCommand(program: Command, context: CommandContext): void {
  const conformance = addCommand(program, conformanceCommand, context);
  addCallerCommand(conformance, context);
  addCommand(conformance, sandboxFixturesCommand, context);
  addCommand(conformance, sandboxDriverCommand, context);
}
