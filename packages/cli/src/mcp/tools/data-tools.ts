import * as z from 'zod';
import { ControlFailure } from '../../control/client/control-failure.js';
import type { ControlDescription } from '../frame/sandbox-access.js';
import { sandboxTool } from '../frame/sandbox-tool.js';

const DATA_PATH = '/sandbox/api/data/';
const ID = /^[\w.@:-]{1,100}$/;

const kind = z
  .string()
  .regex(/^[a-z][a-z_-]{0,40}$/, 'must be a kind of record such as users')
  .describe('users, communities, roles, plans, products, memberships, drops, clients, keys or webhooks.');
const id = z.string().regex(ID, 'must be an id without slashes').describe('Id of the record.');
const fields = z.record(z.string(), z.unknown()).describe('Fields, as describe_objects returns them.');
const UNKNOWN = 'Call list_objects for the ids, and describe_objects for the kinds and their fields.';

const describeObjects = sandboxTool({
  name: 'describe_objects',
  title: 'Describe the objects',
  description:
    'Returns the calls that create and change objects, with the JSON Schema of their fields. Call it before create_object and edit_object.',
  effect: 'reads',
  input: z.object({ kind: kind.optional() }),
  output: z.object({ calls: z.array(z.looseObject({ path: z.string() })), note: z.string().optional() }),
  run: async (input, sandbox) => ({ calls: writesOf(await sandbox.verify(), input.kind) }),
});

const listObjects = sandboxTool({
  name: 'list_objects',
  title: 'List objects',
  description: 'Lists records of one kind without their secrets, oldest first.',
  effect: 'reads',
  input: z.object({
    kind,
    text: z.string().max(200).optional().describe('Text in a name, an address or an id.'),
    limit: z.int().min(1).max(1_000).default(50),
    after: z.string().max(200).optional().describe('Value of next of the page before.'),
  }),
  output: z.looseObject({ objects: z.array(z.looseObject({})) }),
  ifUnknown: UNKNOWN,
  async run({ kind: wanted, ...query }, sandbox) {
    const { [wanted]: objects, ...rest } = await sandbox.get(`/data/${wanted}`, query);
    return { ...rest, objects: objects as Record<string, unknown>[] };
  },
});

const getObject = sandboxTool({
  name: 'get_object',
  title: 'Read an object',
  description: 'Returns a record with the names of the records that it mentions, and what belongs to it.',
  effect: 'reads',
  input: z.object({ kind, id }),
  output: z.looseObject({}),
  ifUnknown: UNKNOWN,
  run: (input, sandbox) => sandbox.get(recordPath(input)),
});

const createObject = sandboxTool({
  name: 'create_object',
  title: 'Create an object',
  description: 'Creates a user, community, plan, product, drop, client, key, webhook or another object.',
  effect: 'changes',
  input: z.object({ kind, fields }),
  output: z.looseObject({}),
  ifUnknown: UNKNOWN,
  run: (input, sandbox) => sandbox.post(`/data/${input.kind}`, input.fields),
});

const editObject = sandboxTool({
  name: 'edit_object',
  title: 'Change an object',
  description: 'Changes the given fields of an object. Other fields stay.',
  effect: 'changes',
  input: z.object({ kind, id, fields }),
  output: z.looseObject({}),
  ifUnknown: UNKNOWN,
  run: async (input, sandbox) => (await sandbox.patch(recordPath(input), input.fields)) ?? {},
});

const endObject = sandboxTool({
  name: 'end_object',
  title: 'End or delete an object',
  description:
    'Ends a record: a membership ends now, a key is revoked, a plan is archived, a client or webhook is deleted. describe_objects tells what happens.',
  effect: 'deletes',
  input: z.object({ kind, id }),
  output: z.object({ ended: z.string() }),
  ifUnknown: UNKNOWN,
  async run(input, sandbox) {
    await sandbox.delete(recordPath(input));
    return { ended: input.id };
  },
});

const grantMembership = sandboxTool({
  name: 'grant_membership',
  title: 'Grant a membership',
  description:
    'Grants a membership of a community or product to a user, or changes its period. It records the webhook event.',
  effect: 'changes',
  input: z.object({
    userId: z.uuid(),
    communityId: z.uuid().optional(),
    productId: z.uuid().optional(),
    validFrom: z.iso.datetime({ offset: true }).optional(),
    validUntil: z.iso.datetime({ offset: true }).nullable().optional().describe('Expiry; null for life.'),
  }),
  output: z.looseObject({ id: z.string() }),
  ifUnknown: UNKNOWN,
  run(input, sandbox) {
    if ((input.communityId === undefined) === (input.productId === undefined)) {
      throw new ControlFailure('invalid_input', 'Give exactly one of communityId and productId.');
    }
    const productType = input.productId === undefined ? 'community' : 'digital_product';
    return sandbox.post('/memberships', { ...input, productType });
  },
});

export const dataTools = [
  ...[describeObjects, listObjects, getObject, createObject, editObject, endObject],
  grantMembership,
];

function recordPath(record: { kind: string; id: string }): string {
  return `/data/${record.kind}/${encodeURIComponent(record.id)}`;
}

/** Calls that write records: of one kind, or of all. */
function writesOf({ paths }: ControlDescription, wanted: string | undefined) {
  return Object.entries(paths)
    .filter(([path]) => (wanted === undefined ? path.startsWith(DATA_PATH) : isOfKind(path, wanted)))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => method !== 'get')
        .map(([method, { summary, requestBody }]) => ({
          path,
          method,
          summary,
          fields: requestBody?.content['application/json']?.schema ?? null,
        })),
    );
}

function isOfKind(path: string, wanted: string): boolean {
  return path === `${DATA_PATH}${wanted}` || path.startsWith(`${DATA_PATH}${wanted}/`);
}
