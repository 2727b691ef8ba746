import type { Command } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { required, toggle } from '../command-line/flag.js';
import { helpText } from '../command-line/help-text.js';
import { readSettings, type SettingsRule } from '../command-line/read-settings.js';
import { databaseText, databaseUrl, missingFolder } from '../command-line/service-readers.js';

const FLAGS = {
  database: required(databaseUrl, databaseText),
  check: toggle({ summary: 'Changes nothing; the exit code is 1 when the database is behind.' }),
} as const;

const RULES: readonly SettingsRule<typeof FLAGS>[] = [
  {
    about: ['database'],
    holds: ({ database }) => missingFolder(database) === undefined,
    problem: ({ database }) =>
      `The database’s file would be in ${missingFolder(database)}, and there is no such folder: make it first.`,
  },
  {
    about: ['database'],
    holds: ({ database }) => database !== 'sqlite::memory:',
    problem: 'A database in memory ends with this command: name a file, or a PostgreSQL database.',
  },
];

/** `latchkey migrate` */
export const migrate: Command = {
  name: 'migrate',
  summary: 'Brings a database up to date.',
  help: () =>
    helpText({
      call: 'latchkey migrate',
      summary: 'Brings a database to the schema of this version, beside running servers too.',
      usage: ['latchkey migrate --database sqlite:./members.sqlite', 'latchkey migrate --check'],
      flags: FLAGS,
      notes: [
        'Running it again, or several times at once, does no harm. "latchkey serve" does the same at its start.',
      ],
    }),
  async run(call) {
    const { database, check } = readSettings({ flags: FLAGS, rules: RULES }, call);
    const server = await import('@latchkey/server');
    try {
      if (!check) {
        const applied = await server.migrateDatabase(database);
        call.print(
          applied.length === 0 ? 'The database was up to date.' : 'The database is up to date. Applied:',
        );
        for (const name of applied) call.print(`  ${name}`);
        return 0;
      }
      const { pending, unknown } = await server.readSchemaStatus(database);
      if (unknown.length > 0) {
        call.print('The database is ahead of this version. It has, from a newer one:');
      } else {
        call.print(
          pending.length === 0 ? 'The database is up to date.' : 'The database is behind. It lacks:',
        );
      }
      for (const name of unknown.length > 0 ? unknown : pending) call.print(`  ${name}`);
      return pending.length + unknown.length === 0 ? 0 : 1;
    } catch (error) {
      throw new CommandFailure(error instanceof Error ? error.message : String(error), { cause: error });
    }
  },
};
