import * as z from 'zod';
import { ControlFailure } from '../control/control-client.js';
import { type ControlDescription, type SandboxAccess, sandboxTool } from './sandbox-tool.js';

/** Characters of a page that one call returns. */
const PART_CHARACTERS = 30_000;

const hit = z.looseObject({
  page: z.string().describe('Name for read_docs.'),
  heading: z.string(),
  excerpt: z.string(),
});

/** Tools of the documentation. */
export const docsTools = [
  sandboxTool({
    name: 'list_docs',
    title: 'List the documentation',
    description: 'Returns /llms.txt: all pages of the documentation, each with one sentence about it.',
    effect: 'reads',
    input: z.object({}),
    output: z.object({ markdown: z.string(), note: z.string().optional() }),
    text: ({ markdown }) => markdown,
    run: async (_, sandbox) => ({ markdown: await sandbox.page('/llms.txt') }),
  }),
  sandboxTool({
    name: 'read_docs',
    title: 'Read a page of the documentation',
    description: `Returns a page as Markdown, ${PART_CHARACTERS} characters at a time. A longer page returns nextOffset.`,
    effect: 'reads',
    input: z.object({
      page: z
        .string()
        .regex(/^[a-z0-9-]{1,80}$/, 'must be the name of a page, such as widget')
        .describe('Name of the page: widget for /docs/widget.md.'),
      offset: z.int().min(0).default(0).describe('Character to begin with.'),
    }),
    output: z.object({
      page: z.string(),
      markdown: z.string(),
      nextOffset: z.int().nullable().describe('Offset of the next part. Null at the end.'),
      note: z.string().optional(),
    }),
    ifUnknown: 'Call list_docs or search_docs for the names of the pages.',
    text: ({ markdown, nextOffset }) =>
      nextOffset === null ? markdown : `${markdown}\n\n[More from offset ${nextOffset}.]`,
    async run({ page, offset }, sandbox) {
      const text = await sandbox.page(`/docs/${page}.md`);
      const end = offset + PART_CHARACTERS;
      return { page, markdown: text.slice(offset, end), nextOffset: end < text.length ? end : null };
    },
  }),
  sandboxTool({
    name: 'search_docs',
    title: 'Search the documentation',
    description: 'Returns the sections of the documentation that match some words, best first.',
    effect: 'reads',
    input: z.object({ query: z.string().trim().min(1).max(200).describe('A few words.') }),
    output: z.object({ hits: z.array(hit), note: z.string().optional() }),
    async run({ query }, sandbox) {
      const text = await sandbox.page(`/docs/search.json?q=${encodeURIComponent(query)}`);
      return { hits: hitsOf(text) };
    },
  }),
];

function hitsOf(text: string): z.input<typeof hit>[] {
  try {
    return z.object({ hits: z.array(hit) }).parse(JSON.parse(text)).hits;
  } catch (error) {
    const message = 'The sandbox has no search of this kind. Start the sandbox of this version.';
    throw new ControlFailure('not_a_sandbox', message, { cause: error });
  }
}

const clientId = z
  .string()
  .max(60)
  .optional()
  .describe('Client of the site. Default: those of the sample data.');

/** Tools for the connection of a site. */
export const integrationTools = [
  sandboxTool({
    name: 'register_client',
    title: 'Register a client',
    description:
      'Registers an app that signs users in, with its redirect URIs and the origins of the pages with the widget. A confidential client gets a secret, which is shown only once. A public client has none.',
    effect: 'changes',
    input: z.object({
      name: z.string().trim().min(1).max(100).describe('Name, as users see it.'),
      type: z.enum(['public', 'confidential']).describe('confidential for a site with a backend.'),
      redirectUris: z
        .array(z.url().max(2_000))
        .max(50)
        .default([])
        .describe('Addresses that receive codes, matched exactly: https://shop.example/auth/callback.'),
      widgetOrigins: z
        .array(z.url().max(300))
        .max(50)
        .default([])
        .describe('Origins of the pages with the widget: https://shop.example.'),
      scopes: z.array(z.enum(['memberships.read', 'products.read'])).default(['memberships.read']),
      ownerId: z
        .uuid()
        .optional()
        .describe('User who administers the client. Default: the first owner of a community.'),
    }),
    output: z.looseObject({ clientId: z.string(), clientSecret: z.string().optional() }),
    ifUnknown: 'Call list_objects with the kind users for the ids of owners.',
    async run({ ownerId, ...client }, sandbox) {
      const owner = ownerId ?? (await firstOwner(sandbox));
      return await sandbox.post('/data/clients', { ...client, ownerId: owner, hostedCallback: true });
    },
  }),
  sandboxTool({
    name: 'get_snippets',
    title: 'Get values and code to paste',
    description:
      'Returns the base URL, ids and secrets of the sandbox as an .env file, and code with these ids: script tag, npm, React, Vue, Svelte, Express, webhook, API client. The elements and their attributes can be chosen.',
    effect: 'reads',
    input: z.object({
      clientId,
      communityId: z.uuid().optional().describe('Community whose members the gate admits.'),
      planId: z.uuid().optional().describe('Plan that the API client sells.'),
      title: z.string().max(40).optional().describe('Title of a single snippet, such as Express.'),
      elements: z
        .record(z.string(), z.record(z.string(), z.union([z.string(), z.literal(true)])))
        .optional()
        .describe('Elements such as latchkey-login, each with its attributes.'),
      theme: z
        .record(z.string(), z.string())
        .optional()
        .describe('Custom properties such as --latchkey-accent.'),
    }),
    output: z.looseObject({
      env: z.string(),
      snippets: z.array(z.looseObject({ title: z.string(), code: z.string() })),
    }),
    ifUnknown: 'Call list_objects with the kind clients, communities or plans for the ids.',
    async run({ title, ...choice }, sandbox) {
      const answer = await sandbox.post<{ env: string; snippets: { title: string; code: string }[] }>(
        '/snippets',
        choice,
      );
      const isChosen = (snippet: { title: string }) =>
        title === undefined || snippet.title.toLowerCase() === title.toLowerCase();
      return { ...answer, snippets: answer.snippets.filter(isChosen) };
    },
  }),
];

async function firstOwner(sandbox: SandboxAccess): Promise<string | undefined> {
  const { roles } = await sandbox.get<{ roles: { userId: string; role: string }[] }>('/data/roles');
  return roles.find(({ role }) => role === 'OWNER')?.userId;
}

const DATA_PATH = '/sandbox/api/data/';
const ID = /^[\w.@:-]{1,100}$/;

const kind = z
  .string()
  .regex(/^[a-z][a-z_-]{0,40}$/, 'must be a kind of record such as users')
  .describe('users, communities, roles, plans, products, memberships, drops, clients, keys or webhooks.');
const id = z.string().regex(ID, 'must be an id without slashes').describe('Id of the record.');
const fields = z.record(z.string(), z.unknown()).describe('Fields, as describe_objects returns them.');
const UNKNOWN = 'Call list_objects for the ids, and describe_objects for the kinds and their fields.';

/** Tools of the records. */
export const dataTools = [
  sandboxTool({
    name: 'describe_objects',
    title: 'Describe the objects',
    description:
      'Returns the calls that create and change objects, with the JSON Schema of their fields. Call it before create_object and edit_object.',
    effect: 'reads',
    input: z.object({ kind: kind.optional() }),
    output: z.object({ calls: z.array(z.looseObject({ path: z.string() })), note: z.string().optional() }),
    run: async (input, sandbox) => ({ calls: writesOf(await sandbox.verify(), input.kind) }),
  }),
  sandboxTool({
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
      const { [wanted]: objects, ...rest } = await sandbox.get<Record<string, Record<string, unknown>[]>>(
        `/data/${wanted}`,
        undefined,
        query,
      );
      return { ...rest, objects: objects ?? [] };
    },
  }),
  sandboxTool({
    name: 'get_object',
    title: 'Read an object',
    description: 'Returns a record with the names of the records that it mentions, and what belongs to it.',
    effect: 'reads',
    input: z.object({ kind, id }),
    output: z.looseObject({}),
    ifUnknown: UNKNOWN,
    run: (input, sandbox) => sandbox.get(recordPath(input)),
  }),
  sandboxTool({
    name: 'create_object',
    title: 'Create an object',
    description: 'Creates a user, community, plan, product, drop, client, key, webhook or another object.',
    effect: 'changes',
    input: z.object({ kind, fields }),
    output: z.looseObject({}),
    ifUnknown: UNKNOWN,
    run: (input, sandbox) => sandbox.post(`/data/${input.kind}`, input.fields),
  }),
  sandboxTool({
    name: 'edit_object',
    title: 'Change an object',
    description: 'Changes the given fields of an object. Other fields stay.',
    effect: 'changes',
    input: z.object({ kind, id, fields }),
    output: z.looseObject({}),
    ifUnknown: UNKNOWN,
    run: async (input, sandbox) => (await sandbox.patch(recordPath(input), input.fields)) ?? {},
  }),
  sandboxTool({
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
  }),
  sandboxTool({
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
  }),
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
