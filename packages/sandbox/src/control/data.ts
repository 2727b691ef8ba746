import {
  listCommunitiesWithBot,
  listJoinRequests,
  RECORD_KINDS,
  type RecordInput,
  type RecordKind,
  type RecordQuery,
  recordKind,
} from '@latchkey/server/extension';
import * as z from 'zod';
import type { SandboxMailbox } from '../mailbox/sandbox-mailbox.js';
import type { Needs } from '../services/services.js';
import { ControlFailure, unknown } from './access/control-failure.js';
import { type ControlRoute, controlRoute } from './access/mount-routes.js';
import { type ControlHandlers, DATA_ROUTES } from './routes/routes.js';

const LISTED = 100;

export function dataHandlers(services: Needs<'db' | 'operator'>, mailbox: SandboxMailbox) {
  return {
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
      const { db } = services;
      const withRequests = (await listCommunitiesWithBot(db, LISTED)).map(async (community) => ({
        ...community,
        joinRequests: await listJoinRequests(db, community.id, LISTED),
      }));
      return { communities: await Promise.all(withRequests) };
    },
  } satisfies Partial<ControlHandlers>;
}

/**
 * Returns the endpoints for each kind of record. Writes follow the service's rules and record its events: each is one
 * transaction by the server's operator.
 */
export function recordRoutes(services: Needs<'operator'>): readonly ControlRoute[] {
  const others = controlRoute('GET /data/{kind}', {
    summary: 'Names the kinds, in a failure.',
    handle() {
      throw new ControlFailure('not_found', `Use one of ${RECORD_KINDS.join(', ')}.`);
    },
  });
  return [...RECORD_KINDS.flatMap((kind) => routesOf(kind, services)), others];
}

/**
 * Returns the declared endpoints with the fields of one kind. If the service never changes or ends such records, those
 * endpoints are missing.
 */
function routesOf(kind: RecordKind, services: Needs<'operator'>): ControlRoute[] {
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
