import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { CommandFailure } from '../../command-line/command-failure.js';
import { quoted } from '../../command-line/quoted.js';
import type { ControlClient } from '../client/control-client.js';
import { ControlFailure } from '../client/control-failure.js';
import { controlCommand } from '../command/control-command.js';

/** Kinds of records, each behind those that it needs. */
const SEED_ORDER = [
  'users',
  'communities',
  'roles',
  'products',
  'plans',
  'drops',
  'memberships',
  'clients',
  'keys',
  'webhooks',
  'reservations',
  'signups',
] as const;

type SeedKind = (typeof SEED_ORDER)[number];
type SeedRecord = Readonly<Record<string, unknown>>;

/** File of `--file`: records by kind. */
const seedFile = z.strictObject(
  Object.fromEntries(
    SEED_ORDER.map((kind) => [kind, z.array(z.record(z.string(), z.unknown())).default([])]),
  ) as Record<SeedKind, z.ZodDefault<z.ZodArray<z.ZodRecord<z.ZodString, z.ZodUnknown>>>>,
);

/** Maximum number of records of one command. */
const COUNT_MAX = 10_000;

/** `latchkey seed` */
export const seed = controlCommand({
  name: 'seed',
  summary: 'Creates records in a sandbox: numbered users, or the content of a file.',
  settings: z.object({
    kind: z
      .enum(['users'], 'must be "users". Use --file for other records')
      .optional()
      .meta({ isArgument: true, description: 'users, in a number of --count.' }),
    count: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(COUNT_MAX, `must be at most ${COUNT_MAX}`)
      .optional()
      .meta({ description: 'Number of users, default 10: person-1@example.com and so on.' }),
    community: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Id of a community of which the new users become members.' }),
    file: z.string().min(1).optional().meta({ description: 'JSON file: { "users": [{ "email": "…" }] }.' }),
  }),
  examples: ['latchkey seed users --count 100', 'latchkey seed --file data.json --json'],
  notes:
    'A record whose id, address or slug exists stays as it is, so that you can run the command again. Give records of a file an id: keys, and what has none, are created each time. New secrets are printed this once.',
  async run({ kind, count = 10, community, file }, { client, show, note }) {
    if ((kind === undefined) === (file === undefined)) {
      throw new CommandFailure('Name what to create: "users", or a file with --file.');
    }
    const records = file === undefined ? numberedUsers(count, community) : recordsOf(file);
    const result = await createAll(client, records, note);
    show(result, () => {
      const secrets = result.created.flatMap(({ id, secrets }) =>
        Object.entries(secrets).map(([name, text]) => `${id}  ${name}  ${text}`),
      );
      return [`Created ${result.created.length}, kept ${result.kept}.`, ...secrets].join('\n');
    });
  },
});

/** Record to create, and one that belongs to it and needs its id. */
interface SeedStep {
  readonly kind: SeedKind;
  readonly record: SeedRecord;
  readonly communityId?: string | undefined;
}

interface SeedResult {
  readonly created: { kind: SeedKind; id: string; secrets: Record<string, string> }[];
  kept: number;
}

function numberedUsers(count: number, communityId: string | undefined): SeedStep[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'users' as const,
    record: { email: `person-${index + 1}@example.com`, name: `Person ${index + 1}` },
    communityId,
  }));
}

function recordsOf(file: string): SeedStep[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as NodeJS.ErrnoException).code;
    throw new CommandFailure(`Cannot read the file ${quoted(file)} (${reason}).`, { cause: error });
  }
  const parsed = seedFile.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CommandFailure(`The file ${quoted(file)}: ${issue?.path.join('.')} ${issue?.message}.`);
  }
  return SEED_ORDER.flatMap((kind) => parsed.data[kind].map((record) => ({ kind, record })));
}

async function createAll(
  client: ControlClient,
  steps: readonly SeedStep[],
  note: (text: string) => void,
): Promise<SeedResult> {
  const result: SeedResult = { created: [], kept: 0 };
  for (const [index, { kind, record, communityId }] of steps.entries()) {
    try {
      const { id, ...answer } = await client.createRecord(kind, record);
      if (communityId !== undefined)
        await client.createRecord('memberships', { userId: id, productType: 'community', communityId });
      result.created.push({ kind, id, secrets: secretsOf(answer) });
    } catch (error) {
      if (!(error instanceof ControlFailure)) throw error;
      // Records before this one are stored. The number tells where to continue.
      if (error.code !== 'conflict')
        throw new CommandFailure(`Record ${index + 1} (${kind}): ${error.message}`, { cause: error });
      result.kept += 1;
      note(`Kept ${kind}, record ${index + 1}: ${error.message}`);
    }
  }
  return result;
}

function secretsOf(answer: SeedRecord): Record<string, string> {
  const shown = ['clientSecret', 'key', 'secret', 'checkoutUrl'];
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) =>
      shown.includes(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
