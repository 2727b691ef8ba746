import type { OpenedOperator, Operator } from '@latchkey/server';
import { RECORD_KINDS, type RecordKind, recordKind } from '@latchkey/server/schemas';
import type { Command } from 'commander';
import * as z from 'zod';
import {
  addCommand,
  type CommandContext,
  type CommandDefinition,
  type Output,
} from '../command-line/command.js';
import { failureIn, messageInFlags } from '../command-line/command-failure.js';
import { writeNewFile } from '../command-line/files.js';
import { kebabCase } from '../command-line/flag.js';
import { columns, databaseText, printable, printableLine } from '../command-line/text.js';
import { databaseUrl, serviceNames, serviceOrigin, toggle } from '../command-line/values.js';

/** A `latchkey admin` command: an operation on one kind of record. */
export interface AdminCommand {
  readonly verb: AdminVerb;
  /** What the command calls the kind: `users` for lists, `user` for one of them. */
  readonly name: string;
  readonly summary: string;
  /** The operation's values. The command's flags and help come from this schema. */
  readonly values: z.ZodObject;
  readonly example: string;
  /** Returns values for people and programs: ids, records and new secrets. */
  run(operator: Operator, values: Readonly<Record<string, unknown>>): Promise<object>;
  /** A sentence for people once it's done. Without it, only the result is printed. */
  done?(values: Readonly<Record<string, unknown>>): string;
}

const VERBS = {
  list: 'Lists and searches records.',
  find: 'Shows a record, and what belongs to it.',
  create: 'Creates a record.',
  change: 'Changes a record. Omitted values stay; an empty value removes one.',
  end: 'Ends a record: deletes, archives or revokes it.',
  export: 'Prints everything that the service stores about a user, as JSON.',
  delete: 'Deletes the account of a user for good. Payments stay, without personal data.',
} as const;

type AdminVerb = keyof typeof VERBS;

/** Values that are shown only once. */
const SECRETS = ['clientSecret', 'key', 'secret'];

const id = z.string().min(1).meta({ isArgument: true, placeholder: 'id' });

/** Returns what commands call one record of a kind. */
export function singularOf(kind: RecordKind): string {
  return kind.replace(/ies$/, 'y').replace(/s$/, '');
}

const [EXAMPLE_ID, EXAMPLE_OWNER] = [
  '5eed0000-0000-4000-8000-00000000000b',
  '5eed0000-0000-4000-8000-00000000000d',
];
const EXAMPLE_CLIENT = 'oac_5eed00000000000000000001';

const EXAMPLES: Readonly<Record<RecordKind, { readonly create: string; readonly change?: string }>> = {
  users: { create: '--email owner@shop.example --name "Olive Owner"', change: '--may-provision' },
  communities: { create: `--name Club --owner-id ${EXAMPLE_OWNER}`, change: '--accent #b4541a' },
  roles: {
    create: `--community-id ${EXAMPLE_ID} --user-id ${EXAMPLE_OWNER} --role ADMIN`,
    change: '--role OWNER',
  },
  invitations: { create: `--community-id ${EXAMPLE_ID} --email friend@example.com --valid-until 2027-12-31` },
  plans: {
    create: `--community-id ${EXAMPLE_ID} --name Monthly --price-minor 900 --period-days 30 --renews`,
    change: '--price-minor 1200',
  },
  products: {
    create: `--owner-id ${EXAMPLE_OWNER} --name Guide --slug guide --type ebook`,
    change: `--owner-id ${EXAMPLE_OWNER}`,
  },
  drops: {
    create: `--community-id ${EXAMPLE_ID} --name Spring --slots 10 --starts-at 2027-03-01T12:00:00Z`,
    change: '--slots 20',
  },
  signups: { create: `--community-id ${EXAMPLE_ID} --email fan@example.com` },
  memberships: {
    create: `--user-id ${EXAMPLE_OWNER} --community-id ${EXAMPLE_ID} --valid-until 2027-12-31`,
    change: '--valid-until 2028-01-31T12:00:00Z',
  },
  reservations: { create: `--user-id ${EXAMPLE_OWNER} --pricing-plan-id ${EXAMPLE_ID}` },
  clients: {
    create: `--type public --name Shop --owner-id ${EXAMPLE_OWNER} --scope memberships.read --widget-origin https://shop.example`,
    change: '--name "New shop" --widget-origin=',
  },
  keys: { create: `--owner-id ${EXAMPLE_OWNER} --name Funnel --permission MEMBERSHIP_READ` },
  webhooks: {
    create: `--owner-id ${EXAMPLE_OWNER} --community-id ${EXAMPLE_ID} --url https://shop.example/webhooks`,
    change: '--rotate-secret',
  },
  operators: { create: `--user-id ${EXAMPLE_OWNER} --role ADMIN`, change: '--role VIEWER' },
};

const user = { id: id.describe('Id or e-mail address of the user.') };

const referenceTo = ({ id: of }: Readonly<Record<string, unknown>>) =>
  String(of).includes('@') ? { email: String(of) } : { id: String(of) };

const exportUser: AdminCommand = {
  verb: 'export',
  name: 'user',
  summary: VERBS.export,
  values: z.object({
    ...user,
    out: z.string().min(1).exactOptional().meta({
      placeholder: 'file',
      defaultText: 'standard output',
      description: 'New file to write, which only your user can read.',
    }),
  }),
  example: 'member@shop.example --out member.json',
  async run(operator, { out, ...values }) {
    const exported = await operator.exportUser(referenceTo(values));
    if (out === undefined) return exported;
    writeNewFile(String(out), `${JSON.stringify(exported, null, 2)}\n`);
    return { out };
  },
  done: (values) => `Exported the user ${values.id}.`,
};

const deleteUser: AdminCommand = {
  verb: 'delete',
  name: 'user',
  summary: VERBS.delete,
  values: z.object(user),
  example: EXAMPLE_ID,
  run: (operator, values) => operator.deleteUser(referenceTo(values)),
  done: (values) => `Deleted the account of ${values.id}.`,
};

export const ADMIN_COMMANDS: readonly AdminCommand[] = [
  ...RECORD_KINDS.flatMap(commandsOf),
  exportUser,
  deleteUser,
];

const NEEDS_TWO_STEP = 'It only counts if two-step sign-in was on already.';

function commandsOf(kind: RecordKind): AdminCommand[] {
  const { one, owners, create, change, end } = recordKind(kind);
  const name = singularOf(kind);
  const ofOne = z.object({
    id: id.describe(kind === 'users' ? 'Id or e-mail address of the user.' : `Id of the ${one}.`),
  });
  const exampleId = kind === 'clients' ? EXAMPLE_CLIENT : EXAMPLE_ID;
  const owner = z.string().optional().describe('Id of the record to which they belong.');
  const commands: AdminCommand[] = [
    {
      verb: 'list',
      name: kind,
      summary: `Lists the ${kind}, oldest first.`,
      values: z.object({
        text: z.string().optional().describe('Text in a name, an address or an id.'),
        ...Object.fromEntries(owners.map((field) => [field, owner])),
        limit: z.int().min(1).max(1_000).default(100).describe('Maximum number of records.'),
        after: z.string().optional().describe('The next of the previous page.'),
      }),
      example: '--limit 10',
      run: (operator, query) => operator.list(kind, query),
    },
    {
      verb: 'find',
      name,
      summary: `Shows one ${one}, and what belongs to it.`,
      values: ofOne,
      example: exampleId,
      run: async (operator, values) => await operator.find(kind, await idOf(operator, kind, values)),
    },
    {
      verb: 'create',
      name,
      summary: create.summary,
      values: create.body,
      example: EXAMPLES[kind].create,
      run: (operator, record) => operator.create(kind, record),
      done: () => `Created the ${one}.${kind === 'operators' ? ` ${NEEDS_TWO_STEP}` : ''}`,
    },
  ];
  if (change !== undefined) {
    const fields = Object.keys(change.body.shape);
    commands.push({
      verb: 'change',
      name,
      summary: change.summary,
      // Without a change, the command prints a webhook's secret.
      values: z
        .object({ ...ofOne.shape, ...change.body.shape })
        .refine(
          (values: Readonly<Record<string, unknown>>) =>
            kind === 'webhooks' || fields.some((field) => values[field] !== undefined),
          `Say what to change, for example: ${EXAMPLES[kind].change}`,
        ),
      example: `${exampleId} ${EXAMPLES[kind].change}`,
      async run(operator, values) {
        const { id: _, ...changes } = values;
        return await operator.change(kind, await idOf(operator, kind, values), changes);
      },
      done: (values) => `Changed the ${one} ${values.id}.`,
    });
  }
  if (end !== undefined) {
    commands.push({
      verb: 'end',
      name,
      summary: end.summary,
      values: ofOne,
      example: exampleId,
      async run(operator, values) {
        await operator.end(kind, await idOf(operator, kind, values));
        return {};
      },
      done: (values) => `Ended the ${one} ${values.id}.`,
    });
  }
  return commands;
}

/** Returns the id that was given to a command. For a user, it may also be an email address. */
async function idOf(
  operator: Operator,
  kind: RecordKind,
  values: Readonly<Record<string, unknown>>,
): Promise<string> {
  const named = String(values.id);
  return kind === 'users' && named.includes('@') ? (await operator.findUser(named)).id : named;
}

const SERVICE = 'Service';

export const adminSettings = z.object({
  database: databaseUrl.meta({ group: SERVICE }),
  baseUrl: serviceOrigin
    .meta({
      group: SERVICE,
      description: 'Origin of the service as browsers see it, the same as for "latchkey serve".',
    })
    .exactOptional(),
  serviceNames: serviceNames
    .exactOptional()
    .meta({ group: SERVICE, defaultText: 'the names that the database has' }),
  json: toggle({ group: SERVICE, description: 'Print the result, or the error, as one line of JSON.' }),
});

/** Kinds of records with URLs of the service in their results. */
const WITH_ADDRESSES: readonly string[] = ['client', 'reservation'];

export function settingsOf({ verb, name, values }: AdminCommand) {
  const needsBaseUrl = WITH_ADDRESSES.includes(name) && (verb === 'create' || verb === 'change');
  const { baseUrl } = adminSettings.shape;
  const shape = { ...adminSettings.shape, ...(needsBaseUrl && { baseUrl: baseUrl.unwrap() }) };
  return values.safeExtend(shape) as z.ZodObject<typeof adminSettings.shape>;
}

/** Base URL for commands that don't depend on it. */
const UNUSED_BASE_URL = 'https://unused.invalid';

function definitionOf(command: AdminCommand): CommandDefinition<ReturnType<typeof settingsOf>> {
  const { verb, name, summary } = command;
  return {
    name,
    summary,
    settings: settingsOf(command),
    examples: [`latchkey admin ${verb} ${name} ${command.example}`],
    run: (settings, output) => runAdminCommand(command, settings, output),
  };
}

/** Created once: a definition remembers its flags. */
const DEFINITIONS = ADMIN_COMMANDS.map((command) => ({ command, definition: definitionOf(command) }));

export function addAdminCommand(program: Command, context: CommandContext): void {
  const admin = program
    .command('admin')
    .summary('Administrative commands: list, find, create, change and end records.')
    .description('Administrative commands; safe on a running service.')
    .usage('<command> <kind> [flags]')
    .optionsGroup('Flags:')
    .helpCommand(false);
  for (const [verb, summary] of Object.entries(VERBS)) {
    const commands = DEFINITIONS.filter(({ command }) => command.verb === verb);
    const parent = admin.command(verb).summary(summary).description(summary).usage('<command> [flags]');
    parent.helpCommand(false);
    for (const { definition } of commands) addCommand(parent, definition, context);
    const examples = commands
      .slice(-2)
      .flatMap(({ definition }) => definition.examples.map((line) => `  ${line}`));
    parent.addHelpText('after', ['', 'Examples:', ...examples].join('\n'));
  }
  admin.addHelpText(
    'after',
    [
      '',
      'Every command needs --database (or LATCHKEY_DATABASE). With --json it prints one line of JSON. A new secret',
      'is shown only once, on standard output. "latchkey admin create user --help" prints the flags of a command.',
      '',
      'Examples:',
      '  latchkey admin create user --email owner@shop.example --name "Olive Owner"',
      '  latchkey admin list users --text owner@shop.example',
      '  latchkey admin end user 5eed0000-0000-4000-8000-00000000000b',
    ].join('\n'),
  );
}

async function runAdminCommand(
  command: AdminCommand,
  settings: z.output<typeof adminSettings>,
  output: Output,
): Promise<number> {
  const { database, baseUrl = UNUSED_BASE_URL, serviceNames: names, json, ...values } = settings;
  // Errors in JSON are the only output on standard error.
  if (!json) output.warn(printable(`Database ${databaseText(database)}`));
  // Only loaded here, so the help and usage errors appear without delay.
  const { openOperator, OperatorError } = await import('@latchkey/server');
  let opened: OpenedOperator | undefined;
  try {
    opened = await openOperator({ database, baseUrl, ...(names && { serviceNames: names }) });
    const result = await command.run(opened.operator, values);
    output.print(printable(json ? JSON.stringify(result) : resultText(command, values, result)));
    return 0;
  } catch (error) {
    const fields = error instanceof OperatorError ? Object.keys(error.fields) : [];
    const message = fields.reduce(
      (text, field) => text.replaceAll(`${field}: `, `--${kebabCase(field)}: `),
      messageInFlags(error),
    );
    const code = error instanceof OperatorError ? error.code : 'failed';
    throw failureIn(json, code, message, error);
  } finally {
    await opened?.close();
  }
}

type FoundRecord = Awaited<ReturnType<Operator['find']>>;

function resultText({ verb, done }: AdminCommand, values: object, result: object): string {
  if (verb === 'list') return listText(result as Awaited<ReturnType<Operator['list']>>);
  if (verb === 'export' && !('out' in result)) return JSON.stringify(result, null, 2);
  const facts = 'record' in result ? Object(result.record) : result;
  const rows = Object.entries(facts as object).map(([name, value]) => {
    const whole = Array.isArray(value) ? value.join(', ') : value === '' ? 'none' : `${value ?? 'none'}`;
    // A text of several lines could pass for other fields.
    const text = printableLine(whole);
    return [name, SECRETS.includes(name) ? `${text}   (shown only once: store it now)` : text] as const;
  });
  const related = 'related' in result ? (result.related as FoundRecord['related']) : [];
  const belonging = related.map(({ kind, count }) => [kind, String(count)] as const);
  return [done?.({ ...values }) ?? [], ...[rows, belonging].filter(({ length }) => length > 0).map(columns)]
    .flat()
    .join('\n');
}

const KNOWN_BY = ['name', 'email', 'role', 'url', 'state', 'type', 'userId', 'communityId', 'productId'];

/** Returns a line for each record: its id, and what people know it by. */
function listText({ records, labels, next }: Awaited<ReturnType<Operator['list']>>): string {
  if (records.length === 0) return 'None.';
  const rows = records.map((record) => {
    const known = KNOWN_BY.flatMap((field) => {
      const value = record[field];
      return typeof value === 'string' ? (labels[value] ?? value) : [];
    });
    return [String(record.id), known.join(', ')] as const;
  });
  return [columns(rows), ...(next === null ? [] : [`More: --after ${next}`])].join('\n');
}
