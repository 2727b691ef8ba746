import type { Command } from 'commander';
import type * as z from 'zod';
import { addCommand, type CommandContext } from '../command-line/command.js';
import { ADMIN_OPERATIONS } from './admin-operations.js';
import { adminSettings, adminSettingsWithBaseUrl } from './admin-settings.js';
import type { AdminOperation } from './operations/admin-operation.js';
import { runAdminOperation } from './run-admin-operation.js';

/** Adds `latchkey admin …`. */
export function addAdminCommand(program: Command, context: CommandContext): void {
  const admin = program
    .command('admin')
    .summary('Administrative commands: users, communities, clients, keys, plans.')
    .description('Administrative commands; safe on a running service.')
    .usage('<command> [flags]')
    .optionsGroup('Flags:')
    .helpCommand(false);
  for (const operation of ADMIN_OPERATIONS) {
    const { name, summary, example } = operation;
    addCommand(
      admin,
      {
        name,
        summary,
        settings: settingsOf(operation),
        examples: [`latchkey admin ${name} ${example}`],
        run: ({ database, baseUrl, serviceNames, json, ...values }, output) =>
          runAdminOperation(
            operation,
            {
              database,
              json,
              values,
              ...(baseUrl !== undefined && { baseUrl }),
              ...(serviceNames !== undefined && { serviceNames }),
            },
            output,
          ),
      },
      context,
    );
  }
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

/** The settings of an operation's command: its own values and those that every operation has. */
export function settingsOf({ values, needsBaseUrl = false }: AdminOperation) {
  const common = needsBaseUrl ? adminSettingsWithBaseUrl : adminSettings;
  return values.safeExtend(common.shape) as z.ZodObject<
    typeof adminSettings.shape & { baseUrl: z.ZodExactOptional<z.ZodString> }
  >;
}
