import * as z from 'zod';
import type { SandboxAccess } from '../frame/sandbox-access.js';
import { sandboxTool } from '../frame/sandbox-tool.js';

const clientId = z
  .string()
  .max(60)
  .optional()
  .describe('Client of the site. Default: those of the sample data.');

const registerClient = sandboxTool({
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
});

const getSnippets = sandboxTool({
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
});

/** Tools for the connection of a site. */
export const integrationTools = [registerClient, getSnippets];

async function firstOwner(sandbox: SandboxAccess): Promise<string | undefined> {
  const { roles } = await sandbox.get<{ roles: { userId: string; role: string }[] }>('/data/roles');
  return roles.find(({ role }) => role === 'OWNER')?.userId;
}
