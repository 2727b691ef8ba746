import { type ControlAnswer, type ControlCallName, ControlError } from '@latchkey/sandbox/client';
import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { kebabCase } from '../command-line/flag.js';
import { isLoopbackHost } from '../command-line/values.js';
import type { ControlClient } from '../control/control-client.js';
import { inputFields, statementOf } from '../control/control-command.js';
import { trigger, triggerSettings } from '../control/trigger-command.js';
import { doctorCommand } from '../doctor/doctor-command.js';
import { doctorSettings } from '../doctor/doctor-settings.js';

/** How long a page of the documentation may take, in milliseconds. */
const PAGE_TIMEOUT_MS = 60_000;

/** Checks that there is a sandbox and that its control API accepts the token, and returns the API's description. */
export function verify(sandbox: ControlClient): Promise<ControlAnswer<'GET /openapi.json'>> {
  return sandbox.call('GET /openapi.json');
}

/** Reads a public page of the sandbox as text. Doesn't send the token. */
async function pageOf({ target }: ControlClient, path: string): Promise<string> {
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  const response = await fetch(`${target.sandbox}${path}`, { redirect: 'manual', signal });
  const text = await response.text();
  if (response.ok) return text;
  throw new ControlError(`The sandbox has no page ${JSON.stringify(path)}.`, { code: 'not_found' });
}

export interface SandboxTool {
  readonly name: string;
  /** What the tool is for, for the assistant. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Effect of a tool on the sandbox. `deletes` means that data is lost. */
  readonly effect: 'reads' | 'changes' | 'deletes';
  /** What to do next if an id is unknown, in a sentence. */
  readonly ifUnknown?: string;
  /** Returns text in place of the result as JSON. */
  text?(result: Readonly<Record<string, unknown>>): string;
  /** @throws ControlError */
  run(input: Readonly<Record<string, unknown>>, sandbox: ControlClient): Promise<object | undefined>;
}

interface CallToolOptions extends Partial<Pick<SandboxTool, 'effect' | 'ifUnknown'>> {
  /** Sentences after the endpoint's summary. */
  readonly more?: string;
  /** Values of fields that the assistant leaves out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** Creates a tool that makes one call to the control API. Its purpose, input and effect come from the endpoint. */
function callTool(
  name: string,
  call: ControlCallName,
  { more, defaults, ...options }: CallToolOptions = {},
): SandboxTool {
  const { summary, body, isDestructive = false } = statementOf(call);
  const inputs = inputFields(call);
  // One of several alternatives: the API says which fields belong together.
  if (body instanceof z.ZodUnion)
    for (const [field, schema] of Object.entries(inputs)) inputs[field] = schema.optional();
  // Fields that depend on the kind of record.
  if (body instanceof z.ZodRecord) inputs.fields = body.describe('Fields, as describe_objects returns them.');
  const changes = isDestructive ? 'deletes' : 'changes';
  return {
    name,
    description: [summary, more].filter((part) => part !== undefined).join(' '),
    input: z.object(inputs),
    effect: call.startsWith('GET ') ? 'reads' : changes,
    ...options,
    async run({ fields, ...input }, sandbox) {
      const flat = { ...defaults, ...(fields as object | undefined), ...input };
      return (await sandbox.callAny(call, flat)) as object | undefined;
    },
  };
}

/** Creates a tool that runs a `latchkey` command in this process, and returns the JSON that it prints. */
function commandTool(
  tool: Pick<SandboxTool, 'name' | 'description' | 'effect'>,
  command: CommandDefinition,
  settings: Readonly<Record<string, z.ZodType>>,
): SandboxTool {
  return {
    ...tool,
    input: z.object(settings),
    async run(input, { target }) {
      const [result = {}] = await runCommand(command, {
        ...input,
        ...target,
        service: target.sandbox,
        json: true,
      });
      return result;
    },
  };
}

/** @throws ControlError, CommandFailure */
async function runCommand(
  command: CommandDefinition,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>[]> {
  const names = Object.keys(command.settings.shape);
  const settings = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  const parsed = command.settings.safeParse(settings);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new ControlError(withoutFlags(issues.join(' '), names), { code: 'invalid_input' });
  }
  const lines: string[] = [];
  try {
    await command.run(parsed.data, { print: (line) => void lines.push(line), warn() {} });
  } catch (error) {
    if (lines.length === 0) throw asFailure(error, names);
  }
  return lines.map((line) => JSON.parse(withoutFlags(line, names)) as Record<string, unknown>);
}

/** Replaces flags with the names of the settings: a tool has no flags. */
function withoutFlags(text: string, names: readonly string[]): string {
  return names.reduce(
    (rest, name) => rest.replaceAll(new RegExp(`--${kebabCase(name)}\\b`, 'g'), name),
    text,
  );
}

function asFailure(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof CommandFailure)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof ControlError ? cause.code : 'failed';
  return new ControlError(withoutFlags(cause.message, names), { code, cause: cause.cause });
}

const PART_CHARACTERS = 30_000;
const ENTRIES = { limit: 20 };

const DATA_PATH = '/sandbox/api/data/';
const UNKNOWN_OBJECT = 'Call list_objects for the ids, and describe_objects for the kinds and their fields.';
const UNKNOWN_PAYMENT = 'Call list_payments for the ids.';
const UNKNOWN_DELIVERY = 'Call list_events for the ids of the deliveries.';

const docsPage = z.object({
  page: z
    .string()
    .regex(/^[a-z0-9-]{1,80}$/, 'must be the name of a page, such as widget')
    .describe('Name of the page: widget for /docs/widget.md.'),
  offset: z.int().min(0).default(0).describe('Character to begin with.'),
});
const docsHits = z.object({
  hits: z.array(z.looseObject({ page: z.string(), heading: z.string(), excerpt: z.string() })),
});

/** All tools, in the order in which an integration needs them. */
export const SANDBOX_TOOLS: readonly SandboxTool[] = [
  {
    name: 'list_docs',
    description: 'Returns /llms.txt: all pages of the documentation, each with one sentence about it.',
    effect: 'reads',
    input: z.object({}),
    text: ({ markdown }) => String(markdown),
    run: async (_, sandbox) => ({ markdown: await pageOf(sandbox, '/llms.txt') }),
  },
  {
    name: 'read_docs',
    description: `Returns a page as Markdown, ${PART_CHARACTERS} characters at a time. A longer page returns nextOffset.`,
    effect: 'reads',
    input: docsPage,
    ifUnknown: 'Call list_docs or search_docs for the names of the pages.',
    text: ({ markdown, nextOffset }) =>
      nextOffset === null ? String(markdown) : `${markdown}\n\n[More from offset ${nextOffset}.]`,
    async run(input, sandbox) {
      const { page, offset } = docsPage.parse(input);
      const text = await pageOf(sandbox, `/docs/${page}.md`);
      const end = offset + PART_CHARACTERS;
      return { page, markdown: text.slice(offset, end), nextOffset: end < text.length ? end : null };
    },
  },
  {
    name: 'search_docs',
    description: 'Returns the sections of the documentation that match some words, best first.',
    effect: 'reads',
    input: z.object({ query: z.string().trim().min(1).max(200).describe('A few words.') }),
    run: async ({ query }, sandbox) =>
      hitsOf(await pageOf(sandbox, `/docs/search.json?q=${encodeURIComponent(String(query))}`)),
  },

  callTool('get_snippets', 'POST /snippets', {
    effect: 'reads',
    more: 'They are a script tag, npm, React, Vue, Svelte, Express, webhook and API client.',
    ifUnknown: 'Call list_objects with the kind clients, communities or plans for the ids.',
  }),
  {
    name: 'describe_objects',
    description:
      'Returns the calls that create and change objects, with the JSON Schema of their fields. Call it before create_object and edit_object.',
    effect: 'reads',
    input: z.object({ kind: z.string().max(40).optional().describe('Kind of object, such as users.') }),
    async run({ kind }, sandbox) {
      const calls = writesOf(await verify(sandbox), kind);
      // Its answer for an unknown kind lists the kinds.
      if (calls.length === 0) await sandbox.call('GET /data/{kind}', { kind: String(kind) });
      return { calls };
    },
  },
  callTool('list_objects', 'GET /data/{kind}', { ifUnknown: UNKNOWN_OBJECT, defaults: { limit: 50 } }),
  callTool('get_object', 'GET /data/{kind}/{id}', { ifUnknown: UNKNOWN_OBJECT }),
  callTool('create_object', 'POST /data/{kind}', {
    more: 'A client of your site is of the kind clients, a membership of the kind memberships.',
    ifUnknown: UNKNOWN_OBJECT,
  }),
  callTool('edit_object', 'PATCH /data/{kind}/{id}', { ifUnknown: UNKNOWN_OBJECT }),
  callTool('end_object', 'DELETE /data/{kind}/{id}', { ifUnknown: UNKNOWN_OBJECT }),

  commandTool(
    {
      name: 'trigger_event',
      description:
        'Causes a webhook event by a real change of your objects. membership.created grants a membership to a user without one. membership.updated moves the expiry (until) or ends the membership (end). payment.success, payment.failed and digital.product.purchase pay a real checkout of a plan or product. The change stays.',
      effect: 'changes',
    },
    trigger,
    triggerSettings.shape,
  ),
  callTool('list_events', 'GET /events', { defaults: ENTRIES }),
  callTool('get_delivery', 'GET /deliveries/{id}', { ifUnknown: UNKNOWN_DELIVERY }),
  callTool('resend_delivery', 'POST /deliveries/{id}/resend', { ifUnknown: UNKNOWN_DELIVERY }),

  callTool('list_payments', 'GET /payments', { defaults: ENTRIES }),
  callTool('get_payment', 'GET /payments/{id}', { ifUnknown: UNKNOWN_PAYMENT }),
  callTool('answer_payment', 'POST /payments/{id}/answer', { ifUnknown: UNKNOWN_PAYMENT }),
  callTool('refund_payment', 'POST /payments/{id}/refund', { ifUnknown: UNKNOWN_PAYMENT }),
  callTool('dispute_payment', 'POST /payments/{id}/dispute', { ifUnknown: UNKNOWN_PAYMENT }),
  callTool('resend_webhook', 'POST /payments/{id}/webhooks/{eventId}', {
    more: 'Webhooks of the payment provider to the service, not those of the service to your site.',
    ifUnknown: 'Call get_payment for the ids of its webhooks.',
  }),
  callTool('get_provider', 'GET /payment-provider'),
  callTool('set_provider', 'POST /payment-provider'),

  callTool('list_requests', 'GET /requests', {
    more: 'Each has the ids of the rules that decided the answer. Secrets are hidden.',
    defaults: ENTRIES,
  }),
  callTool('get_request', 'GET /requests/{id}', {
    ifUnknown: 'Call list_requests for the ids. The log keeps the newest requests only.',
  }),
  callTool('list_mail', 'GET /mail'),

  callTool('get_clock', 'GET /clock'),
  callTool('move_clock', 'POST /clock', {
    more: 'Give exactly one of duration, instant, preset (get_clock lists them), or membershipId with to. The clock cannot move back: load_scenario or load_snapshot undoes it.',
  }),

  callTool('list_faults', 'GET /faults'),
  callTool('add_fault', 'POST /faults', { more: 'It tests what an integration does then.' }),
  callTool('remove_fault', 'DELETE /faults/{id}', { ifUnknown: 'Call list_faults for the ids.' }),
  callTool('clear_faults', 'DELETE /faults', { more: 'Calls and deliveries work as they should again.' }),

  callTool('list_snapshots', 'GET /snapshots'),
  callTool('save_snapshot', 'POST /snapshots/{name}', { more: 'A snapshot with this name is replaced.' }),
  callTool('load_snapshot', 'POST /snapshots/{name}/load', {
    ifUnknown: 'Call list_snapshots for the names.',
  }),
  callTool('list_scenarios', 'GET /scenarios'),
  callTool('load_scenario', 'POST /reset', {
    more: 'Mail, request log and faults are dropped. Stored snapshots stay. list_scenarios describes them.',
  }),

  commandTool(
    {
      name: 'run_doctor',
      description:
        'Runs the checks of "latchkey doctor". With site, it reads pages of a site on this machine, and returns findings about the site, its backend and the sandbox. Without, it checks the sandbox: endpoints, CORS, the client, its redirect URI and its widget origin. Each finding has a remedy. Changes nothing.',
      effect: 'reads',
    },
    doctorCommand as unknown as CommandDefinition,
    {
      site: z
        .array(z.url().refine(isOnThisMachine, 'must be on a loopback address'))
        .max(5)
        .optional()
        .describe('Pages of the site on this machine, such as http://localhost:3000.'),
      clientId: doctorSettings.shape.clientId,
      redirectUri: doctorSettings.shape.redirectUri,
      origin: doctorSettings.shape.origin,
    },
  ),
];

function hitsOf(text: string): z.output<typeof docsHits> {
  try {
    return docsHits.parse(JSON.parse(text));
  } catch (cause) {
    const message = 'The sandbox has no search of this kind. Start the sandbox of this version.';
    throw new ControlError(message, { code: 'not_a_sandbox', cause });
  }
}

/** Returns the calls that write records: of one kind, or of all. */
function writesOf({ paths }: ControlAnswer<'GET /openapi.json'>, kind: unknown) {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(DATA_PATH) && (kind === undefined || path.split('/')[4] === kind))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => method !== 'get')
        .map(([method, { summary, requestBody }]) => ({
          path,
          method,
          summary,
          fields: requestBody?.content['application/json'].schema ?? null,
        })),
    );
}

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}
