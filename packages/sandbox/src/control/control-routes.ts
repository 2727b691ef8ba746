import type { Database } from '@latchkey/server/extension';
import { Router } from 'express';
import * as z from 'zod';
import { elementsField, themeField } from '../integration/element-markup.js';
import { SAMPLE_CHOICE, type SnippetChoice, type SnippetClient } from '../integration/snippet-choice.js';
import { integrationOf } from '../integration/snippets.js';
import type { WebhookReceiver } from '../receiver/webhook-receiver.js';
import type { Needs, Services } from '../services/services.js';
import { type ControlRoute, controlRoute } from './access/control-route.js';
import { controlGuard } from './access/guard.js';
import { mountRoutes } from './access/mount-routes.js';
import type { SandboxControl } from './control.js';
import { dataRoutes } from './data/data.js';
import { requireRow } from './data/records/records.js';
import { deliveryRoutes } from './deliveries/deliveries.js';
import { listenerRoutes } from './deliveries/listeners.js';
import { faultRoutes } from './faults/fault-list.js';
import { receiverControlRoutes } from './receiver/receiver-control.js';
import { requestRoutes } from './requests/request-routes.js';
import { snapshotRoutes } from './snapshots/snapshots.js';
import type { EventStream } from './stream/event-stream.js';
import { timelineRoutes } from './timeline/timeline.js';

const choice = z.strictObject({
  clientId: z.string().max(100).optional().describe('Client of the site. Default: those of the sample data.'),
  communityId: z.uuid().toLowerCase().optional(),
  planId: z.uuid().toLowerCase().optional(),
  elements: elementsField
    .optional()
    .describe('Elements with their attributes; true is an attribute without a value.'),
  theme: themeField.default({}).describe('CSS custom properties of the elements.'),
});

/** Endpoint with the values and the code to paste into a site. */
function snippetRoutes(services: Needs<'baseUrl' | 'db' | 'serviceNames'>): readonly ControlRoute[] {
  return [
    controlRoute('POST /snippets', {
      summary: 'Returns the values, an .env file and the code to paste into a site, with your own ids.',
      body: choice,
      async handle({ body }) {
        return integrationOf(services, await choiceOf(services.db, body));
      },
    }),
  ];
}

async function choiceOf(
  db: Database,
  {
    clientId,
    communityId = SAMPLE_CHOICE.communityId,
    planId = SAMPLE_CHOICE.planId,
    elements,
    theme,
  }: z.output<typeof choice>,
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
      'latchkey-login': { 'client-id': shown, backend: '/auth' },
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

/** Tools that the control API offers, and the check of its token. */
export interface ControlAccess {
  readonly control: SandboxControl;
  readonly receiver: WebhookReceiver;
  readonly stream: EventStream;
  isToken(presented: string): boolean;
  /** The token, for the front page. Absent if other machines can open that page. */
  readonly shownToken: string | undefined;
}

/** All endpoints of the control API. */
export function controlRoutes(
  services: Services,
  { control, receiver, stream, isToken }: ControlAccess,
): Router {
  const routes: ControlRoute[] = [
    ...requestRoutes(services, control.requests),
    ...timelineRoutes(control.clock),
    ...faultRoutes(control.faults),
    ...deliveryRoutes(control.deliveries),
    ...receiverControlRoutes(services, receiver),
    ...listenerRoutes(control.listeners),
    ...dataRoutes(control.data),
    ...snapshotRoutes(control.snapshots, control.scenarios),
    ...snippetRoutes(services),
    stream.route,
    {
      method: 'GET',
      path: '/openapi.json',
      summary: 'Describes these endpoints as OpenAPI 3.1.',
      handle: () => openApiOf(routes, CONTROL_PATH),
    },
  ];
  const router = Router({ caseSensitive: true, strict: true });
  const guard = controlGuard({ baseUrl: services.baseUrl, isToken });
  return router.use(CONTROL_PATH, mountRoutes(routes, { guard, logger: services.logger }));
}

/** Describes the endpoints as an OpenAPI 3.1 document. */
function openApiOf(routes: readonly ControlRoute[], basePath: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `${basePath}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Control API of the sandbox', version: '1' },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}

function operationOf({ path, summary, query, body }: ControlRoute): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    summary,
    parameters: [...inPath, ...queryParameters(query)],
    ...(body && { requestBody: { content: { 'application/json': { schema: jsonSchema(body) } } } }),
    responses: { default: { description: 'JSON; a failure is `{ "error": { code, message, fields } }`.' } },
  };
}

function queryParameters(query: z.ZodType | undefined): object[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(schema as z.ZodType),
  }));
}

function jsonSchema(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
