import type { IncomingMessage } from 'node:http';
import { type Database, requireRow } from '@latchkey/server/extension';
import { type RequestHandler, Router } from 'express';
import * as z from 'zod';
import { SAMPLE_CHOICE, type SnippetChoice, type SnippetClient } from '../integration/snippet-choice.js';
import { integrationOf } from '../integration/snippets.js';
import type { SandboxMailbox } from '../mailbox/sandbox-mailbox.js';
import type { WebhookReceiver } from '../receiver/webhook-receiver.js';
import { type SandboxGuide, siteUrlOf } from '../scenario/sandbox-guide.js';
import type { Needs, Services } from '../services/services.js';
import { controlGuard } from './access/guard.js';
import { type ControlRoute, mountRoutes, routesOf, sendFailure } from './access/mount-routes.js';
import type { SandboxControl } from './control.js';
import { dataHandlers, recordRoutes } from './data.js';
import { deliveryHandlers } from './deliveries/deliveries.js';
import { listenerHandlers } from './deliveries/listeners.js';
import { faultHandlers } from './faults/fault-list.js';
import { paymentHandlers } from './payments/payments.js';
import { receiverHandlers } from './receiver/receiver-control.js';
import { requestHandlers } from './requests/request-routes.js';
import type { CONTROL_ROUTES, ControlHandlers } from './routes/routes.js';
import { snapshotHandlers } from './snapshots/snapshots.js';
import type { EventStream } from './stream/event-stream.js';
import { timelineHandlers } from './timeline/timeline.js';

function snippetHandlers(services: Needs<'baseUrl' | 'db' | 'serviceNames'>, guide: SandboxGuide) {
  return {
    'POST /snippets': async ({ body }) => {
      const { baseUrl, serviceNames, db } = services;
      const siteUrl = siteUrlOf(guide);
      return integrationOf({ baseUrl, serviceNames, siteUrl }, await choiceOf(db, body));
    },
  } satisfies Partial<ControlHandlers>;
}

async function choiceOf(
  db: Database,
  {
    clientId,
    communityId = SAMPLE_CHOICE.communityId,
    planId = SAMPLE_CHOICE.planId,
    elements,
    theme,
  }: z.output<(typeof CONTROL_ROUTES)['POST /snippets']['body']>,
): Promise<SnippetChoice> {
  await requireRow(db, 'communities', communityId);
  await requireRow(db, 'plans', planId);
  const chosen = clientId === undefined ? undefined : await findSnippetClient(db, clientId);
  const shown = chosen?.clientId ?? SAMPLE_CHOICE.clientId;
  return {
    clientId: shown,
    backendClient: chosen ?? SAMPLE_CHOICE.backendClient,
    communityId,
    planId,
    elements: (elements as SnippetChoice['elements']) ?? {
      'latchkey-login': { 'client-id': (chosen ?? SAMPLE_CHOICE.backendClient).clientId, backend: '/auth' },
      'latchkey-gate': { backend: '/auth', community: communityId },
    },
    theme,
  };
}

async function findSnippetClient(db: Database, id: string): Promise<SnippetClient> {
  const { client_id, type } = await requireRow(db, 'clients', id);
  return { clientId: String(client_id), hasSecret: type === 'confidential' };
}

/** Path of the control API. `requests/record-request.ts` excludes its calls from the log. */
const CONTROL_PATH = '/sandbox/api';
const MCP_PATH = '/sandbox/mcp';

/** The tools that the control API offers, and the check of its token. */
export interface ControlAccess {
  readonly control: SandboxControl;
  readonly receiver: WebhookReceiver;
  readonly stream: EventStream;
  isToken(presented: string): boolean;
  /** Handles calls to `/sandbox/mcp`. */
  readonly mcp?: RequestHandler;
  /** Returns the token for the pages, or undefined if other machines can open them or the request comes from one. */
  tokenFor(request: IncomingMessage): string | undefined;
}

interface GuidedAccess extends ControlAccess {
  readonly guide: SandboxGuide;
  readonly mailbox: SandboxMailbox;
}

/** The handlers of the declared endpoints. The types of the responses follow from them. */
function controlHandlers(
  services: Services,
  { control, receiver, mailbox, guide }: Pick<GuidedAccess, 'control' | 'receiver' | 'mailbox' | 'guide'>,
  describe: () => ControlDescription,
) {
  return {
    ...requestHandlers(services, control.requests),
    ...timelineHandlers(control.clock),
    ...faultHandlers(control.faults),
    ...deliveryHandlers(control.deliveries),
    ...paymentHandlers(control.payments),
    ...receiverHandlers(services, receiver),
    ...listenerHandlers(control.listeners),
    ...dataHandlers(services, mailbox),
    ...snapshotHandlers(control.snapshots, control.scenarios),
    ...snippetHandlers(services, guide),
    'GET /openapi.json': describe,
  } satisfies ControlHandlers;
}

/** The handler of each endpoint. Clients get the types of the responses from it. */
export type ControlWork = ReturnType<typeof controlHandlers>;

export function controlRoutes(services: Services, access: GuidedAccess): Router {
  const { stream, mcp, isToken } = access;
  const routes: ControlRoute[] = [
    ...routesOf(controlHandlers(services, access, () => descriptionOf(routes, CONTROL_PATH))),
    ...recordRoutes(services),
    stream.route,
  ];
  const router = Router({ caseSensitive: true, strict: true });
  const guard = controlGuard({ baseUrl: services.baseUrl, isToken });
  if (mcp !== undefined) router.use(MCP_PATH, guard, mcp, sendFailure(services.logger));
  return router.use(CONTROL_PATH, mountRoutes(routes, { guard, logger: services.logger }));
}

interface ControlDescription {
  readonly openapi: '3.1.0';
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, ControlOperation>>>>;
}

interface ControlOperation {
  readonly summary: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
}

function descriptionOf(routes: readonly ControlRoute[], basePath: string): ControlDescription {
  const paths: Record<string, Record<string, ControlOperation>> = {};
  for (const route of routes) {
    const path = `${basePath}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const about = {
    info: { title: 'Control API of the sandbox', version: '1' },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
  return { openapi: '3.1.0', ...about, paths };
}

function operationOf({ path, summary, params = {}, query, body }: ControlRoute): ControlOperation {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']) => [name, params[name] ?? z.string()] as const,
  );
  const inQuery = query instanceof z.ZodObject ? Object.entries<z.ZodType>(query.shape) : [];
  const parameter = (place: 'path' | 'query', [name, schema]: readonly [string, z.ZodType]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    schema: jsonSchema(schema),
  });
  const described = {
    parameters: [
      ...inPath.map((each) => parameter('path', each)),
      ...inQuery.map((each) => parameter('query', each)),
    ],
    responses: { default: { description: 'JSON; a failure is `{ "error": { code, message, fields } }`.' } },
  };
  return {
    summary,
    ...described,
    ...(body && { requestBody: { content: { 'application/json': { schema: jsonSchema(body) } } } }),
  };
}

function jsonSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
