import type { OpenedOperator } from '@latchkey/server';
import type { Command } from 'commander';
import type * as z from 'zod';
import {
  addCommand,
  type CommandContext,
  type CommandDefinition,
  type Output,
} from '../command-line/command.js';
import { CommandFailure, failureJson, messageInFlags } from '../command-line/command-failure.js';
import { columns, databaseText, printable } from '../command-line/text.js';
import { type AdminOperation, settingsOf } from './admin-operation.js';
import { ADMIN_OPERATIONS } from './admin-operations.js';

type AdminCommand = CommandDefinition<ReturnType<typeof settingsOf>>;

/** Base URL of operations that do not depend on it. */
const UNUSED_BASE_URL = 'https://unused.invalid';

const ADMIN_COMMANDS = ADMIN_OPERATIONS.map(
  (operation): AdminCommand => ({
    name: operation.name,
    summary: operation.summary,
    settings: settingsOf(operation),
    examples: [`latchkey admin ${operation.name} ${operation.example}`],
    run: (settings, output) => runAdminOperation(operation, settings, output),
  }),
);

/** Adds `latchkey admin …`. */
export function addAdminCommand(program: Command, context: CommandContext): void {
  const admin = program
    .command('admin')
    .summary('Administrative commands: users, communities, clients, keys, plans.')
    .description('Administrative commands; safe on a running service.')
    .usage('<command> [flags]')
    .optionsGroup('Flags:')
    .helpCommand(false);
  for (const command of ADMIN_COMMANDS) addCommand(admin, command, context);
  admin.addHelpText(
    'after',
    [
      '',
      'Every command needs --database (or LATCHKEY_DATABASE). With --json it prints one line of JSON. A new secret',
      'is shown only once, on standard output. "latchkey admin <command> --help" prints the flags of a command.',
      '',
      'Examples:',
      ...ADMIN_OPERATIONS.slice(0, 3).map(({ name, example }) => `  latchkey admin ${name} ${example}`),
    ].join('\n'),
  );
}

/**
 * Runs an operation on a database and prints its result.
 *
 * @returns the exit code.
 * @throws CommandFailure if the operation fails.
 */
async function runAdminOperation(
  operation: AdminOperation,
  settings: z.output<ReturnType<typeof settingsOf>>,
  output: Output,
): Promise<number> {
  const { database, baseUrl = UNUSED_BASE_URL, serviceNames, json, ...values } = settings;
  // Errors in JSON are the only output on standard error.
  if (!json) output.warn(printable(`Database ${databaseText(database)}`));
  // Loaded only here, so that the help and usage errors appear without delay.
  const { openOperator, OperatorError } = await import('@latchkey/server');
  let opened: OpenedOperator | undefined;
  try {
    opened = await openOperator({ database, baseUrl, ...(serviceNames && { serviceNames }) });
    const facts = Object(await operation.run(opened.operator, values)) as object;
    output.print(json ? JSON.stringify(facts) : resultText(operation, values, facts));
    return 0;
  } catch (error) {
    const message = messageInFlags(error);
    const code = error instanceof OperatorError ? error.code : 'failed';
    throw new CommandFailure(json ? failureJson(code, message) : message, {
      code,
      isJson: json,
      cause: error,
    });
  } finally {
    await opened?.close();
  }
}

/** The result of an operation as text for people. */
function resultText(operation: AdminOperation, values: object, facts: object): string {
  const { done, secrets = [] } = operation;
  if (operation.isDocument?.({ ...values }) === true) return printable(JSON.stringify(facts, null, 2));
  const rows = Object.entries(facts).map(([name, value]) => {
    const note = secrets.includes(name) ? '   (shown only once: store it now)' : '';
    return [name, `${value ?? 'none'}${note}`] as const;
  });
  const message = done({ ...values });
  return rows.length === 0 ? message : `${message}\n${columns(rows)}`;
}
