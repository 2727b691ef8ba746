import type { OpenedOperator } from '@latchkey/server';
import { closestName } from '../command-line/closest-name.js';
import type { Call, Command } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { type Flags, flagName, required, type Settings, toggle } from '../command-line/flag.js';
import { columns, helpText } from '../command-line/help-text.js';
import { readSettings } from '../command-line/read-settings.js';
import { databaseText, databaseUrl, serviceOrigin } from '../command-line/service-readers.js';
import { UsageError } from '../command-line/usage-error.js';
import type { AdminCommand } from './admin-command.js';
import { ADMIN_COMMANDS } from './admin-commands.js';
import { outcomeText } from './outcome-text.js';

const SERVICE = 'The service';

const COMMON_FLAGS = {
  database: required(databaseUrl, { ...databaseText, heading: SERVICE }),
  json: toggle({ heading: SERVICE, summary: 'Prints the outcome, or the failure, as one line of JSON.' }),
} as const;

const BASE_URL_FLAG = {
  baseUrl: required(serviceOrigin, {
    heading: SERVICE,
    placeholder: '<origin>',
    summary: 'The service’s origin as browsers see it, as "latchkey serve" was given it.',
    variable: 'LATCHKEY_BASE_URL',
  }),
} as const;

/** For commands that have nothing to do with the service's own addresses. */
const NO_BASE_URL = 'https://not-asked-for.invalid';

/** `latchkey admin …` */
export const admin: Command = {
  name: 'admin',
  summary: 'Does what an operator must, on a live database too: users, clients, keys, plans.',
  help(args) {
    const command = ADMIN_COMMANDS.find(({ name }) => args.includes(name));
    return command === undefined ? overview() : commandHelp(command);
  },
  async run({ args: [word, ...args], ...call }) {
    if (word === undefined || word.startsWith('-')) {
      throw new UsageError(['latchkey admin needs a command.', '', overview().trimEnd()]);
    }
    const command = ADMIN_COMMANDS.find(({ name }) => name === word);
    if (command === undefined) throw unknownCommand(word);
    return await runAdminCommand(command, { ...call, args });
  },
};

async function runAdminCommand(command: AdminCommand, call: Call): Promise<number> {
  const settings = readSettings({ flags: flagsOf(command), rules: command.rules ?? [] }, call);
  // Every command has the common flags, whatever its own are.
  const { database, json, baseUrl, ...own } = settings as Settings<typeof COMMON_FLAGS> & typeof settings;
  const { openOperator, OperatorError } = await import('@latchkey/server');
  let opened: OpenedOperator | undefined;
  try {
    opened = await openOperator({ database, baseUrl: typeof baseUrl === 'string' ? baseUrl : NO_BASE_URL });
    const outcome = await command.run(opened.operator, own);
    call.print(json ? JSON.stringify(outcome.facts ?? {}) : outcomeText(outcome));
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof OperatorError ? error.code : 'failed';
    throw new CommandFailure(json ? JSON.stringify({ error: { code, message } }) : message, { cause: error });
  } finally {
    await opened?.close();
  }
}

function flagsOf({ flags, needsBaseUrl = false }: AdminCommand): Flags {
  return { ...flags, ...COMMON_FLAGS, ...(needsBaseUrl && BASE_URL_FLAG) };
}

function commandHelp(command: AdminCommand): string {
  const call = `latchkey admin ${command.name}`;
  return helpText({
    call,
    summary: command.summary,
    usage: [usageOf(call, command.flags)],
    flags: flagsOf(command),
  });
}

/** The call with the flags that it cannot go without. */
function usageOf(call: string, flags: Flags): string {
  const needed = Object.entries(flags).filter(([, { mustBeGiven }]) => mustBeGiven);
  const parts = needed.map(([setting, { text }]) => `${flagName(setting)} ${text.placeholder ?? '<value>'}`);
  return [call, ...parts, '[flags]'].join(' ');
}

function overview(): string {
  return [
    'latchkey admin: Does what an operator must, on a live database too.',
    '',
    'Usage',
    '  latchkey admin <command> [flags]',
    '',
    'Commands',
    columns(ADMIN_COMMANDS.map(({ name, summary }) => [name, summary])),
    '',
    'Every command takes --database (or LATCHKEY_DATABASE), and --json for machines. Secrets are told once, on standard',
    'output only. "latchkey admin <command> --help" tells its flags.',
    '',
  ].join('\n');
}

function unknownCommand(word: string): UsageError {
  const closest = closestName(
    word,
    ADMIN_COMMANDS.map(({ name }) => name),
  );
  const hint =
    closest === undefined ? 'See "latchkey admin --help" for those there are.' : `Did you mean ${closest}?`;
  return new UsageError([`"${word}" is not an admin command. ${hint}`]);
}
