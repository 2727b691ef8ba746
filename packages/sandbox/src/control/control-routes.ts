import type { IncomingMessage } from 'node:http';
import {
  type Database,
  listCommunitiesWithBot,
  listJoinRequests,
  RECORD_KINDS,
  type RecordInput,
  type RecordKind,
  type RecordQuery,
  recordKind,
  requireRow,
} from '@latchkey/server/extension';
import { type RequestHandler, Router } from 'express';
import * as z from 'zod';
import {
  elementsOf,
  SAMPLE_CHOICE,
  type SnippetChoice,
  type SnippetClient,
} from '../integration/snippet-choice.js';
import { integrationOf } from '../integration/snippets.js';
import type { SandboxMailbox } from '../mailbox/sandbox-mailbox.js';
import type { WebhookReceiver } from '../receiver/webhook-receiver.js';
import { type SandboxGuide, siteUrlOf } from '../scenario/sandbox-guide.js';
import type { Needs, Services } from '../services/services.js';
import { ControlFailure, unknown } from './access/control-failure.js';
import { controlGuard } from './access/guard.js';
import {
  type ControlDescription,
  type ControlRoute,
  controlRoute,
  descriptionOf,
  mountRoutes,
  routesOf,
  sendFailure,
} from './access/mount-routes.js';
import type { SandboxControl } from './control.js';
import { asCurl, decidingRulesOf } from './requests/describe-request.js';
import { type CONTROL_ROUTES, type ControlHandlers, DATA_ROUTES } from './routes/routes.js';
import type { EventStream } from './stream/event-stream.js';

type ChosenParts = z.output<(typeof CONTROL_ROUTES)['POST /snippets']['body']>;

async function choiceOf(
  db: Database,
  { clientId, elements, theme, ...ids }: ChosenParts,
): Promise<SnippetChoice> {
  const { communityId = SAMPLE_CHOICE.communityId, planId = SAMPLE_CHOICE.planId } = ids;
  await requireRow(db, 'communities', communityId);
  await requireRow(db, 'plans', planId);
  const chosen = clientId === undefined ? undefined : await findSnippetClient(db, clientId);
  const backendClient = chosen ?? SAMPLE_CHOICE.backendClient;
  return {
    clientId: chosen?.clientId ?? SAMPLE_CHOICE.clientId,
    backendClient,
    communityId,
    planId,
    elements: (elements as SnippetChoice['elements']) ?? elementsOf(backendClient.clientId, communityId),
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

/** How many communities are listed, and how many join requests for each. */
const LISTED = 100;

/** The handlers of the declared endpoints. The types of the responses follow from them. */
function controlHandlers(
  services: Services,
  { control, receiver, mailbox, guide }: Pick<GuidedAccess, 'control' | 'receiver' | 'mailbox' | 'guide'>,
  describe: () => ControlDescription,
) {
  const { requests, clock, faults, deliveries, payments, listeners, snapshots, scenarios } = control;
  const { baseUrl, db, serviceNames } = services;
  return {
    'GET /requests': ({ query }) => requests.list(query),
    'GET /requests/{id}'({ params }) {
      const request = requests.find(params.id);
      return { ...request, curl: asCurl(baseUrl, request), rules: decidingRulesOf(request) };
    },
    'POST /requests/{id}/replay': ({ params }) => requests.replay(params.id),
    'DELETE /requests': () => requests.clear(),

    'GET /clock': async () => ({
      ...clock.read(),
      presets: await clock.presets(),
      lastMove: clock.lastMove() ?? null,
    }),
    'POST /clock'({ body }) {
      if ('duration' in body) return clock.advanceBy(body.duration);
      if ('membershipId' in body) return clock.moveToMembership(body);
      if ('instant' in body) return clock.moveTo(body.instant);
      return clock.moveToPreset(body.preset);
    },

    'GET /faults': () => ({ faults: faults.list() }),
    'POST /faults': ({ body }) => faults.add(body),
    'DELETE /faults/{id}': ({ params }) => faults.remove(params.id),
    'DELETE /faults': () => faults.clear(),

    'GET /events': ({ query }) => deliveries.list(query),
    'GET /events/{id}': ({ params }) => deliveries.findEvent(params.id),
    'POST /events': ({ body }) => deliveries.sendTest(body),
    'POST /purchases': ({ body }) => deliveries.buy(body),
    'GET /deliveries/{id}': ({ params }) => deliveries.find(params.id),
    'POST /deliveries/{id}/resend': ({ params, body }) => deliveries.resend(params.id, body.as),
    'POST /signatures': ({ body }) => deliveries.verify(body),

    'GET /payments': ({ query }) => payments.list(query),
    'GET /payments/{id}': ({ params }) => payments.find(params.id),
    'POST /payments/{id}/answer': ({ params, body }) => payments.answer(params.id, body.answer),
    'POST /payments/{id}/refund': ({ params, body }) => payments.refund(params.id, body.amountMinor),
    'POST /payments/{id}/dispute': ({ params, body }) => payments.dispute(params.id, body.step),
    'POST /payments/{id}/webhooks/{eventId}': ({ params }) => payments.sendWebhook(params.id, params.eventId),
    'GET /payment-provider': () => payments.provider,
    'POST /payment-provider': ({ body }) => payments.set(body),

    'GET /receiver': () => receiver.state(services),
    'POST /receiver'({ body }) {
      receiver.mode = body.mode;
      return receiver.state(services);
    },

    'GET /listeners': async () => ({ listeners: await listeners.list() }),
    'POST /listeners': ({ body }) => listeners.open(body),
    'DELETE /listeners/{name}': ({ params }) => listeners.remove(params.name),
    'GET /listeners/{name}/deliveries': async ({ params, query }) => ({
      deliveries: await listeners.waiting(params.name, query),
    }),
    'POST /listeners/{name}/deliveries/{id}': ({ params, body }) =>
      listeners.record(params.name, params.id, body),

    'POST /reset': ({ body }) => snapshots.reset(body.scenario),
    'GET /scenarios': () => ({ scenarios: scenarios.list() }),
    'GET /snapshots': () => ({ snapshots: snapshots.list() }),
    'POST /snapshots/{name}': ({ params }) => snapshots.save(params.name),
    'GET /snapshots/{name}': ({ params }) => snapshots.export(params.name),
    'DELETE /snapshots/{name}': ({ params }) => snapshots.remove(params.name),
    'POST /snapshots/{name}/load': ({ params }) => snapshots.load(params.name),
    'POST /snapshots/{name}/import': ({ params, body }) => snapshots.import(params.name, body),

    'POST /snippets': async ({ body }) =>
      integrationOf({ baseUrl, serviceNames, siteUrl: siteUrlOf(guide) }, await choiceOf(db, body)),
    'GET /data': () => services.operator.counts(),
    /** Newest first, without HTML and images. */
    'GET /mail': ({ query }) => ({
      mail: mailbox.list(query.to).map(({ html, images, ...listed }) => listed),
    }),
    'GET /mail/{id}'({ params: { id } }) {
      const mail = mailbox.find(id);
      if (mail === undefined) throw unknown('message', id);
      return mail;
    },
    async 'GET /messenger'(): Promise<{ communities: readonly object[] }> {
      const withRequests = (await listCommunitiesWithBot(db, LISTED)).map(async (community) => ({
        ...community,
        joinRequests: await listJoinRequests(db, community.id, LISTED),
      }));
      return { communities: await Promise.all(withRequests) };
    },
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
  const guard = controlGuard(services.baseUrl, isToken);
  if (mcp !== undefined) router.use(MCP_PATH, guard, mcp, sendFailure(services.logger));
  return router.use(CONTROL_PATH, mountRoutes(routes, { guard, logger: services.logger }));
}

/**
 * Returns the endpoints for each kind of record. Writes follow the service's rules and record its events: each is one
 * transaction by the server's operator.
 */
function recordRoutes(services: Needs<'operator'>): readonly ControlRoute[] {
  const others = controlRoute('GET /data/{kind}', {
    summary: 'Names the kinds, in a failure.',
    handle() {
      throw new ControlFailure('not_found', `Use one of ${RECORD_KINDS.join(', ')}.`);
    },
  });
  return [...RECORD_KINDS.flatMap((kind) => routesOfKind(kind, services)), others];
}

/**
 * Returns the declared endpoints with the fields of one kind. If the service never changes or ends such records, those
 * endpoints are missing.
 */
function routesOfKind(kind: RecordKind, services: Needs<'operator'>): ControlRoute[] {
  const { create, change, end, owners } = recordKind(kind);
  const route = (call: keyof typeof DATA_ROUTES, work: Partial<ControlRoute>) =>
    controlRoute(call.replace('{kind}', kind), { ...DATA_ROUTES[call], ...work });
  const { shape } = DATA_ROUTES['GET /data/{kind}'].query;
  const owner = z.string().max(100).optional().describe('Id of the record to which they belong.');
  return [
    route('GET /data/{kind}', {
      query: z.strictObject({ ...shape, ...Object.fromEntries(owners.map((field) => [field, owner])) }),
      async handle({ query }) {
        const { records, next, labels } = await services.operator.list(kind, query as RecordQuery);
        return { [kind]: records, next, labels };
      },
    }),
    route('POST /data/{kind}', {
      ...{ summary: create.summary, body: create.body, parsesBody: true },
      handle: ({ body }) => services.operator.create(kind, body as RecordInput),
    }),
    route('GET /data/{kind}/{id}', { handle: ({ params: { id = '' } }) => services.operator.find(kind, id) }),
    ...(change === undefined
      ? []
      : [
          route('PATCH /data/{kind}/{id}', {
            ...{ summary: change.summary, body: change.body, parsesBody: true },
            handle: ({ params: { id = '' }, body }) =>
              services.operator.change(kind, id, body as RecordInput),
          }),
        ]),
    ...(end === undefined
      ? []
      : [
          route('DELETE /data/{kind}/{id}', {
            summary: end.summary,
            handle: ({ params: { id = '' } }) => services.operator.end(kind, id),
          }),
        ]),
  ];
}
