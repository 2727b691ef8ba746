import * as z from 'zod';
import type { CommandDefinition, Output } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { databaseText } from '../command-line/database-text.js';
import { printable } from '../command-line/printable.js';
import { serviceNames, serviceNamesText } from '../command-line/service-names-value.js';
import { databaseFolderRule, databaseUrl } from '../command-line/service-values.js';
import { settingsRule } from '../command-line/settings-rule.js';

const migrateSettings = z
  .object({
    database: databaseUrl,
    serviceNames: serviceNames.exactOptional().meta({ defaultText: 'the names do not change' }),
    replaceServiceNames: z.boolean().default(false).meta({
      description:
        'Replace other names that the database has. API keys of another prefix stop working. Stop all servers first.',
    }),
    check: z
      .boolean()
      .default(false)
      .meta({ description: 'Only compare, without changes. The exit code is 1 if migrations are pending.' }),
    json: z.boolean().default(false).meta({ description: 'Print the result as one line of JSON.' }),
  })
  .check(
    databaseFolderRule,
    settingsRule<{ replaceServiceNames: boolean; serviceNames?: object }>({
      reads: ['replaceServiceNames', 'serviceNames'],
      isMet: (settings) => settings.replaceServiceNames !== true || settings.serviceNames !== undefined,
      error: '--replace-service-names needs the new names: --service-names (or LATCHKEY_SERVICE_NAMES).',
    }),
    settingsRule<{ database: string }>({
      reads: ['database'],
      isMet: ({ database }) => database !== 'sqlite::memory:',
      error: 'A database in memory is lost when the command ends. Use a file or a PostgreSQL database.',
    }),
  );

/** `latchkey migrate` */
export const migrateCommand: CommandDefinition<typeof migrateSettings> = {
  name: 'migrate',
  summary: 'Migrates a database to the schema of this version. Servers may be running on it.',
  settings: migrateSettings,
  examples: ['latchkey migrate --database sqlite:./members.sqlite', 'latchkey migrate --check --json'],
  notes:
    'You can run it repeatedly, and several times at once. "latchkey serve" also migrates the database when it starts.',
  async run({ database, check, json, ...names }, output) {
    output.warn(printable(`Database ${databaseText(database)}`));
    try {
      const target = { database, json };
      return check ? await compareSchema(target, output) : await migrate(target, names, output);
    } catch (error) {
      throw new CommandFailure(error instanceof Error ? error.message : String(error), {
        code: 'migration_failed',
        cause: error,
      });
    }
  },
};

/** Names that the command line sets. */
type NameSettings = Pick<z.output<typeof migrateSettings>, 'serviceNames' | 'replaceServiceNames'>;

/** Database of the command, and the format of its result. */
type Target = Pick<z.output<typeof migrateSettings>, 'database' | 'json'>;

async function migrate({ database, json }: Target, names: NameSettings, { print }: Output): Promise<number> {
  const { migrateDatabase } = await import('@latchkey/server');
  const applied = await migrateDatabase(database, names);
  if (json) {
    print(JSON.stringify({ database: databaseText(database), applied, serviceNames: names.serviceNames }));
    return 0;
  }
  print(
    applied.length === 0
      ? 'The database was already up to date.'
      : 'The database is up to date. Applied migrations:',
  );
  for (const name of applied) print(`  ${name}`);
  if (names.serviceNames !== undefined) print(`Service names: ${serviceNamesText(names.serviceNames)}`);
  return 0;
}

async function compareSchema({ database, json }: Target, { print }: Output): Promise<number> {
  const { readSchemaStatus } = await import('@latchkey/server');
  const { pending, unknown } = await readSchemaStatus(database);
  const code = pending.length + unknown.length === 0 ? 0 : 1;
  if (json) {
    print(JSON.stringify({ database: databaseText(database), pending, unknown }));
    return code;
  }
  if (unknown.length > 0) {
    print('The database is newer than this version. Unknown migrations:');
  } else {
    print(pending.length === 0 ? 'The database is up to date.' : 'Pending migrations:');
  }
  for (const name of unknown.length > 0 ? unknown : pending) print(`  ${name}`);
  return code;
}
