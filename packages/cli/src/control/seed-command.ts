import { ControlError } from '@latchkey/sandbox/client';
import {
  OWNER_KINDS,
  type OwnerField,
  RECORD_KINDS,
  type RecordKind,
  recordKind,
} from '@latchkey/server/schemas';
import * as z from 'zod';
import { CommandFailure } from '../command-line/command-failure.js';
import { jsonFileContent } from '../command-line/files.js';
import { quoted } from '../command-line/text.js';
import { settingsRule } from '../command-line/values.js';
import { type ControlClient, explained, findRecord } from './control-client.js';
import { controlCommand } from './control-command.js';
import { stopSignal } from './follow.js';

/** Kinds of records, each after the kinds that its fields refer to. */
const SEED_ORDER = RECORD_KINDS.toSorted((a, b) => depthOf(a) - depthOf(b));

function depthOf(kind: RecordKind): number {
  const named = recordKind(kind).fields.flatMap(({ name }) => OWNER_KINDS[name as OwnerField] ?? []);
  return 1 + Math.max(0, ...named.map(depthOf));
}

type SeedRecord = Readonly<Record<string, unknown>>;

/** The content of `--file`: records by kind. */
const seedFile = z.strictObject(
  Object.fromEntries(
    SEED_ORDER.map((kind) => [kind, z.array(z.record(z.string(), z.unknown())).default([])]),
  ) as Record<RecordKind, z.ZodDefault<z.ZodArray<z.ZodRecord<z.ZodString, z.ZodUnknown>>>>,
);

const COUNT_MAX = 10_000;

export const seed = controlCommand({
  name: 'seed',
  summary: 'Creates records in a sandbox: numbered users, or the content of a file.',
  settings: z
    .object({
      kind: z
        .enum(['users'], 'must be "users". Use --file for other records')
        .optional()
        .meta({ isArgument: true, description: '"users" creates numbered users.' }),
      count: z.coerce
        .number('must be a number')
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(COUNT_MAX, `must be at most ${COUNT_MAX}`)
        .optional()
        .meta({
          placeholder: 'number',
          defaultText: '10',
          description: 'Number of users: person-1@example.com and so on.',
        }),
      community: z.uuid('must be a UUID').optional().meta({
        placeholder: 'id',
        description: 'Community of which the numbered users become members, also those that exist.',
      }),
      file: z
        .string()
        .min(1)
        .optional()
        .meta({ placeholder: 'path', description: 'JSON file: { "users": [{ "email": "…" }] }.' }),
    })
    .check(
      settingsRule({
        reads: ['kind', 'file'],
        isMet: ({ kind, file }) => (kind === undefined) !== (file === undefined),
        error: 'Name what to create: "users", or a file with --file.',
      }),
      settingsRule({
        reads: ['file', 'count', 'community'],
        isMet: ({ file, count, community }) =>
          file === undefined || (count === undefined && community === undefined),
        error: '--count and --community belong to "users". Remove them, or --file.',
      }),
    ),
  examples: ['latchkey seed users --count 100', 'latchkey seed --file data.json --json'],
  notes:
    'A record whose id, address or slug exists stays as it is, so that you can run the command again. Give records of a file an id: keys, and what has none, are created each time. New secrets are printed this once.',
  async run({ count = 10, community, file }, { client, show, note }) {
    if (community !== undefined) await findRecord(client, 'community', { id: community });
    const steps = file === undefined ? numberedUsers(count) : recordsOf(file);
    const result: SeedResult = { created: [], kept: 0 };
    try {
      await createAll(client, { steps, result, note });
      if (community !== undefined) await grantAll(client, steps, community);
    } catch (error) {
      // Secrets of what was created are only shown now.
      if (result.created.length > 0) show(result, () => resultText(result));
      throw error;
    }
    show(result, () => resultText(result));
  },
});

function resultText({ created, kept }: SeedResult): string {
  const secrets = created.flatMap(({ id, secrets: each }) =>
    Object.entries(each).map(([name, text]) => `${id}  ${name}  ${text}`),
  );
  return [`Created ${created.length}, kept ${kept}.`, ...secrets].join('\n');
}

interface SeedStep {
  readonly kind: RecordKind;
  readonly record: SeedRecord;
}

interface SeedResult {
  readonly created: { kind: RecordKind; id: string; secrets: Record<string, string> }[];
  kept: number;
}

function numberedUsers(count: number): SeedStep[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'users' as const,
    record: { email: `person-${index + 1}@example.com`, name: `Person ${index + 1}` },
  }));
}

function recordsOf(file: string): SeedStep[] {
  const parsed = seedFile.safeParse(jsonFileContent(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    throw new CommandFailure(`The file ${quoted(file)}: ${place}${issue?.message}.`);
  }
  return SEED_ORDER.flatMap((kind) => parsed.data[kind].map((record) => ({ kind, record })));
}

/** Creates the records, and adds each to the result. Ctrl-C ends it after the current one. */
async function createAll(
  client: ControlClient,
  { steps, result, note }: { steps: readonly SeedStep[]; result: SeedResult; note: (text: string) => void },
): Promise<void> {
  const signal = stopSignal();
  for (const [index, { kind, record }] of steps.entries()) {
    if (signal.aborted)
      throw new CommandFailure(
        `Stopped after ${index} of ${steps.length} records. Run it again to continue.`,
      );
    try {
      const { id, ...answer } = await client.call('POST /data/{kind}', { ...record, kind });
      result.created.push({ kind, id, secrets: secretsOf(answer) });
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      // Records before this one are stored. The number tells where to continue.
      if (error.code !== 'conflict')
        throw new CommandFailure(
          `Record ${index + 1} (${kind}): ${explained(error, client.target).message}`,
          { cause: error },
        );
      result.kept += 1;
      note(`Kept ${kind}, record ${index + 1}: ${error.message}`);
    }
  }
}

/** Grants the membership to each user of the steps who has none, even after an interrupted run. */
async function grantAll(
  client: ControlClient,
  steps: readonly SeedStep[],
  communityId: string,
): Promise<void> {
  const emails = new Set(steps.map(({ record }) => record.email));
  const members = new Set(
    (await client.records('memberships'))
      .filter((membership) => membership.communityId === communityId.toLowerCase())
      .map(({ userId }) => userId),
  );
  for (const { id, email } of await client.records('users')) {
    if (!emails.has(email) || members.has(id)) continue;
    const membership = { userId: id, productType: 'community', communityId };
    await client.call('POST /data/{kind}', { ...membership, kind: 'memberships' });
  }
}

function secretsOf(answer: SeedRecord): Record<string, string> {
  const shown = ['clientSecret', 'key', 'secret', 'checkoutUrl'];
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) =>
      shown.includes(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
