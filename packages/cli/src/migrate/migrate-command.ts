import * as z from 'zod';
import type { CommandDefinition, Output } from '../command-line/command.js';
import { failureIn, messageInFlags } from '../command-line/command-failure.js';
import { databaseText, printable } from '../command-line/text.js';
import {
  databaseFolderRule,
  databaseUrl,
  serviceNames,
  serviceNamesText,
  settingsRule,
  toggle,
} from '../command-line/values.js';

const migrateSettings = z
  .object({
    database: databaseUrl,
    serviceNames: serviceNames.exactOptional().meta({ defaultText: 'the names do not change' }),
    replaceServiceNames: toggle({
      description:
        'Replace other names that the database has. API keys of another prefix stop working. Stop all servers first.',
    }),
    contract: toggle({
      description:
        'Also run contract migrations, after which earlier versions do not work. Replace all processes with this version first.',
    }),
    check: toggle({
      description:
        'Only compare, without changes. The exit code is 1 if migrations are pending. Contract migrations count with --contract.',
    }),
    json: toggle({ description: 'Print the result as one line of JSON.' }),
  })
  .check(
    databaseFolderRule,
    settingsRule({
      reads: ['replaceServiceNames', 'serviceNames'],
      isMet: (settings) => settings.replaceServiceNames !== true || settings.serviceNames !== undefined,
      error: '--replace-service-names needs the new names: --service-names (or LATCHKEY_SERVICE_NAMES).',
    }),
    settingsRule({
      reads: ['database'],
      isMet: ({ database }) => database !== 'sqlite::memory:',
      error: 'A database in memory is lost when the command ends. Use a file or a PostgreSQL database.',
    }),
  );

export const migrateCommand: CommandDefinition<typeof migrateSettings> = {
  name: 'migrate',
  summary: 'Migrates a database. Processes of this version and of the previous one may be running on it.',
  settings: migrateSettings,
  examples: [
    'latchkey migrate --database sqlite:./members.sqlite',
    'latchkey migrate --check --json',
    'latchkey migrate --contract',
  ],
  notes: [
    'Expand migrations only add to the schema, so the previous version continues to work. Run "latchkey migrate" before',
    'you replace the first process, and "latchkey migrate --contract" when all processes have the new version. Until',
    'then you can go back to the previous version.',
    '',
    'You can run it repeatedly, and several times at once. "latchkey serve" also runs expand migrations when it starts.',
  ].join('\n'),
  async run({ database, check, json, contract, ...names }, output) {
    output.warn(printable(`Database ${databaseText(database)}`));
    try {
      const target = { database, json, contract };
      return check ? await compareSchema(target, output) : await migrate(target, names, output);
    } catch (error) {
      throw failureIn(json, 'migration_failed', messageInFlags(error), error);
    }
  },
};

type NameSettings = Pick<z.output<typeof migrateSettings>, 'serviceNames' | 'replaceServiceNames'>;

/** The command's database, which migrations it's about, and the format of its result. */
type Target = Pick<z.output<typeof migrateSettings>, 'database' | 'json' | 'contract'>;

async function migrate(
  { database, json, contract }: Target,
  names: NameSettings,
  { print }: Output,
): Promise<number> {
  const { migrateDatabase, readSchemaStatus } = await import('@latchkey/server');
  const applied = await migrateDatabase(database, { ...names, contract });
  const { pendingContract } = await readSchemaStatus(database);
  if (json) {
    const result = { database: databaseText(database), applied, pendingContract };
    print(JSON.stringify({ ...result, serviceNames: names.serviceNames }));
    return 0;
  }
  print(
    applied.length === 0
      ? 'The database was already up to date.'
      : 'The database is up to date. Applied migrations:',
  );
  for (const name of applied) print(`  ${name}`);
  printList(PENDING_CONTRACT, pendingContract, print);
  if (names.serviceNames !== undefined) print(`Service names: ${serviceNamesText(names.serviceNames)}`);
  return 0;
}

async function compareSchema({ database, json, contract }: Target, { print }: Output): Promise<number> {
  const { readSchemaStatus } = await import('@latchkey/server');
  const { pending, pendingContract, unknown, incompatible } = await readSchemaStatus(database);
  const isBehind = pending.length > 0 || (contract && pendingContract.length > 0);
  const code = isBehind || incompatible.length > 0 ? 1 : 0;
  if (json) {
    print(
      JSON.stringify({ database: databaseText(database), pending, pendingContract, unknown, incompatible }),
    );
    return code;
  }
  printList('Migrations of a newer version, after which this version does not work:', incompatible, print);
  const compatible = unknown.filter((name) => !incompatible.includes(name));
  printList('Migrations of a newer version, with which this version works:', compatible, print);
  printList('Pending migrations:', pending, print);
  if (pending.length === 0 && incompatible.length === 0) print('The database is up to date.');
  printList(PENDING_CONTRACT, pendingContract, print);
  return code;
}

const PENDING_CONTRACT =
  'Pending contract migrations. When all processes have this version, run "latchkey migrate --contract":';

function printList(title: string, names: readonly string[], print: Output['print']): void {
  if (names.length > 0) print([title, ...names.map((name) => `  ${name}`)].join('\n'));
}
