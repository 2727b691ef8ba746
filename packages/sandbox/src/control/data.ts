import type { GrantMembership, Operator } from '@latchkey/server';
import {
  type CreatedRecord,
  createOperator,
  type DataRecord,
  type FoundRecord,
  listCommunitiesWithBot,
  listJoinRequests,
  RECORD_KINDS,
  type RecordInput,
  type RecordKind,
  type RecordPage,
  type RecordQuery,
  recordKind,
} from '@latchkey/server/extension';
import * as z from 'zod';
import type { ReceivedMail, SandboxMailbox } from '../mailbox/sandbox-mailbox.js';
import type { Needs } from '../services/services.js';
import { ControlFailure, unknown } from './access/control-failure.js';
import { type ControlRoute, controlRoute } from './access/control-route.js';
import { type ControlHandlers, DATA_ROUTES } from './routes/routes.js';

/** How many communities are listed, and how many join requests for each. */
const LISTED = 100;

/** A sandbox may send events to a receiver on its own machine. */
const WEBHOOK_POLICY = { allowLoopback: true } as const;

/**
 * The sandbox's records, mail and messenger. Writes follow the service's rules and record its events: each is one
 * transaction, by the server's operator or its domain code.
 */
export class SandboxData {
  readonly #services: Needs<'baseUrl' | 'clock' | 'db' | 'hub' | 'logger' | 'serviceNames'>;
  readonly #mailbox: SandboxMailbox;
  #created: Operator | undefined;

  constructor(
    services: Needs<'baseUrl' | 'clock' | 'db' | 'hub' | 'logger' | 'serviceNames'>,
    mailbox: SandboxMailbox,
  ) {
    this.#services = services;
    this.#mailbox = mailbox;
  }

  /** Lists records of one kind without their secrets, oldest first. */
  async list(kind: RecordKind, query: RecordQuery = {}): Promise<readonly DataRecord[]> {
    return (await this.#operator.list(kind, query)).records;
  }

  /** Lists a page, with the start of the next one and the names of the records that it mentions. */
  page(kind: RecordKind, query: RecordQuery = {}): Promise<RecordPage> {
    return this.#operator.list(kind, query);
  }

  counts(): Promise<Readonly<Record<RecordKind, number>>> {
    return this.#operator.counts();
  }

  /** @throws OperatorError `not_found` if there is no such record. */
  find(kind: RecordKind, id: string): Promise<FoundRecord> {
    return this.#operator.find(kind, id);
  }

  /**
   * Creates a record, with its secret if it has one. Secrets can't be read again later.
   *
   * @throws OperatorError `invalid_input` with a message for each wrong field, or `conflict`.
   */
  async create(kind: RecordKind, input: RecordInput): Promise<CreatedRecord> {
    const created = await this.#operator.create(kind, input);
    return this.#published(created, { kind, id: created.id, change: 'created' });
  }

  /**
   * Changes a record. Fields that you leave out stay unchanged. Returns new secrets if the change creates any.
   *
   * @throws OperatorError `not_supported` if the service never changes such a record.
   */
  async edit(kind: RecordKind, id: string, changes: RecordInput): Promise<object> {
    const changed = await this.#operator.change(kind, id, changes);
    return this.#published(changed, { kind, id, change: 'edited' });
  }

  /**
   * Ends a record like the service: deletes, archives, revokes or expires it.
   *
   * @throws OperatorError `not_supported` if the service never ends such a record.
   */
  async end(kind: RecordKind, id: string): Promise<void> {
    await this.#operator.end(kind, id);
    this.#published(undefined, { kind, id, change: 'ended' });
  }

  /** Grants a membership. If the user has one in the same community or product, it gets the new period. */
  async grantMembership(membership: GrantMembership): Promise<{ id: string }> {
    const granted = await this.#operator.grantMembership(membership);
    return this.#published(granted, { kind: 'memberships', id: granted.id, change: 'created' });
  }

  async endMembership(id: string): Promise<void> {
    await this.end('memberships', id);
  }

  /** Lists emails without their HTML and images, newest first: all of them, or those to one address. */
  mail(to?: string): readonly Omit<ReceivedMail, 'html' | 'images'>[] {
    return this.#mailbox.list(to).map(({ html, images, ...listed }) => listed);
  }

  /** @throws ControlFailure `not_found` if there is no such message. */
  findMail(id: string): ReceivedMail {
    const mail = this.#mailbox.find(id);
    if (mail === undefined) throw unknown('message', id);
    return mail;
  }

  /** Lists the communities with a messenger bot, and the newest requests to join their chats. */
  async messenger(): Promise<{ communities: readonly object[] }> {
    const { db } = this.#services;
    const withRequests = (await listCommunitiesWithBot(db, LISTED)).map(async (community) => ({
      ...community,
      joinRequests: await listJoinRequests(db, community.id, LISTED),
    }));
    return { communities: await Promise.all(withRequests) };
  }

  /** The service's names are only known once it has opened its database. */
  get #operator(): Operator {
    const { db, clock, baseUrl, serviceNames, logger } = this.#services;
    const needs = { db, clock, baseUrl, serviceNames, logger, webhookPolicy: WEBHOOK_POLICY };
    this.#created ??= createOperator(needs);
    return this.#created;
  }

  /** Publishes that a record was written. */
  #published<Result>(
    result: Result,
    write: { kind: RecordKind; id: string; change: 'created' | 'edited' | 'ended' },
  ): Result {
    this.#services.hub.publish('data', write);
    return result;
  }
}

/** Handlers for records of all kinds, mail and the messenger. */
export function dataHandlers(data: SandboxData) {
  return {
    'GET /data': () => data.counts(),
    'GET /mail': ({ query }) => ({ mail: data.mail(query.to) }),
    'GET /mail/{id}': ({ params }) => data.findMail(params.id),
    'GET /messenger': () => data.messenger(),
  } satisfies Partial<ControlHandlers>;
}

/** Returns the endpoints for each kind of record. */
export function recordRoutes(data: SandboxData): readonly ControlRoute[] {
  const others = controlRoute('GET /data/{kind}', {
    summary: 'Names the kinds, in a failure.',
    handle() {
      throw new ControlFailure('not_found', `Use one of ${RECORD_KINDS.join(', ')}.`);
    },
  });
  return [...RECORD_KINDS.flatMap((kind) => routesOf(kind, data)), others];
}

/**
 * Returns the declared endpoints with the fields of one kind. If the service never changes or ends such records, those
 * endpoints are missing.
 */
function routesOf(kind: RecordKind, data: SandboxData): ControlRoute[] {
  const { create, change, end, owners } = recordKind(kind);
  const route = (call: keyof typeof DATA_ROUTES, work: Partial<ControlRoute>) =>
    controlRoute(call.replace('{kind}', kind), { ...DATA_ROUTES[call], ...work });
  const { shape } = DATA_ROUTES['GET /data/{kind}'].query;
  const owner = z.string().max(100).optional().describe('Id of the record to which they belong.');
  return [
    route('GET /data/{kind}', {
      query: z.strictObject({ ...shape, ...Object.fromEntries(owners.map((field) => [field, owner])) }),
      async handle({ query }) {
        const { records, next, labels } = await data.page(kind, query as RecordQuery);
        return { [kind]: records, next, labels };
      },
    }),
    route('POST /data/{kind}', {
      ...{ summary: create.summary, body: create.body, parsesBody: true },
      handle: ({ body }) => data.create(kind, body as RecordInput),
    }),
    route('GET /data/{kind}/{id}', { handle: ({ params: { id = '' } }) => data.find(kind, id) }),
    ...(change === undefined
      ? []
      : [
          route('PATCH /data/{kind}/{id}', {
            ...{ summary: change.summary, body: change.body, parsesBody: true },
            handle: ({ params: { id = '' }, body }) => data.edit(kind, id, body as RecordInput),
          }),
        ]),
    ...(end === undefined
      ? []
      : [
          route('DELETE /data/{kind}/{id}', {
            summary: end.summary,
            handle: ({ params: { id = '' } }) => data.end(kind, id),
          }),
        ]),
  ];
}
