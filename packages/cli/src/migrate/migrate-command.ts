import * as z from 'zod';
import type { CommandDefinition, Output } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
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
  examples: ['latchkey migrate --database sqlite:./members.sqlite', 'latchkey migrate --check'],
  notes:
    'You can run it repeatedly, and several times at once. "latchkey serve" also migrates the database when it starts.',
  async run({ database, check, ...names }, output) {
    try {
      return check ? await compareSchema(database, output) : await migrate(database, names, output);
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

async function migrate(database: string, names: NameSettings, { print }: Output): Promise<number> {
  const { migrateDatabase } = await import('@latchkey/server');
  const applied = await migrateDatabase(database, names);
  print(
    applied.length === 0
      ? 'The database was already up to date.'
      : 'The database is up to date. Applied migrations:',
  );
  for (const name of applied) print(`  ${name}`);
  if (names.serviceNames !== undefined) print(`Service names: ${serviceNamesText(names.serviceNames)}`);
  return 0;
}

async function compareSchema(database: string, { print }: Output): Promise<number> {
  const { readSchemaStatus } = await import('@latchkey/server');
  const { pending, unknown } = await readSchemaStatus(database);
  if (unknown.length > 0) {
    print('The database is newer than this version. Unknown migrations:');
  } else {
    print(pending.length === 0 ? 'The database is up to date.' : 'Pending migrations:');
  }
  for (const name of unknown.length > 0 ? unknown : pending) print(`  ${name}`);
  return pending.length + unknown.length === 0 ? 0 : 1;
}
