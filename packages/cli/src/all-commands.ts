import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { addAdminCommand } from './admin/admin-command.js';
import { addCommand, type CommandContext } from './command-line/command.js';
import { addConformanceCommand } from './conformance/add-conformance-command.js';
import { addControlCommands } from './control/add-control-commands.js';
import { doctorCommand } from './doctor/doctor-command.js';
import { explainCommand } from './explain/explain-command.js';
import { initCommand } from './init/init-command.js';
import { mcpCommand } from './mcp/mcp-command.js';
import { migrateCommand } from './migrate/migrate-command.js';
import { sandboxCommand } from './sandbox/sandbox-command.js';
import { serveCommand } from './serve/serve-command.js';

/** Adds every command, and the list of them to the help. */
export function addAllCommands(program: Command, context: CommandContext): void {
  addCommand(program, serveCommand, context);
  addCommand(program, initCommand, context);
  addCommand(program, sandboxCommand, context);
  addCommand(program, migrateCommand, context);
  addCommand(program, doctorCommand, context);
  addCommand(program, explainCommand, context);
  addConformanceCommand(program, context);
  addAdminCommand(program, context);
  addControlCommands(program, context);
  addCommand(program, mcpCommand, context);
  // Adds "latchkey complete <shell>", which prints a completion script.
  tab(program);
  program.addHelpText(
    'after',
    '\nExamples:\n  latchkey init my-site\n  latchkey sandbox\n  latchkey logs --follow\n\nStart with: latchkey init',
  );
}
