import type { GrantMembership, Operator } from '@latchkey/server';
import {
  type CreatedRecord,
  createOperator,
  type DataRecord,
  type FoundRecord,
  listCommunitiesWithBot,
  listJoinRequests,
  OWNER_FIELDS,
  RECORD_KINDS,
  RECORDS,
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

/** Number of communities, and of join requests of each, that are listed. */
const LISTED = 100;

/** A sandbox may send events to the receiver on its own machine. */
const WEBHOOK_POLICY = { allowLoopback: true } as const;

/**
 * Records, mail and messenger of the sandbox. Writes follow the rules of the service and record its events: each is a call of
 * the server's operator or of its domain, in one transaction.
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
   * Creates a record, with its secret if it has one. Secrets can't be read again.
   *
   * @throws OperatorError `invalid_input` with a message for each wrong field, or `conflict`.
   */
  async create(kind: RecordKind, input: RecordInput): Promise<CreatedRecord> {
    const created = await this.#operator.create(kind, input);
    return this.#published(created, { kind, id: created.id, change: 'created' });
  }

  /**
   * Changes a record. Omitted fields stay unchanged. Returns new secrets, if the change makes some.
   *
   * @throws OperatorError `not_supported` if the service never changes such a record.
   */
  async edit(kind: RecordKind, id: string, changes: RecordInput): Promise<object> {
    const changed = await this.#operator.change(kind, id, changes);
    return this.#published(changed, { kind, id, change: 'edited' });
  }

  /**
   * Ends a record as the service does: deletes, archives, revokes or expires it.
   *
   * @throws OperatorError `not_supported` if the service never ends such a record.
   */
  async end(kind: RecordKind, id: string): Promise<void> {
    await this.#operator.end(kind, id);
    this.#published(undefined, { kind, id, change: 'ended' });
  }

  /** Grants a membership. An existing membership of the same community or product gets the new period. */
  async grantMembership(membership: GrantMembership): Promise<{ id: string }> {
    const granted = await this.#operator.grantMembership(membership);
    return this.#published(granted, { kind: 'memberships', id: granted.id, change: 'created' });
  }

  async endMembership(id: string): Promise<void> {
    await this.end('memberships', id);
  }

  /** Lists the mail without its HTML and its images, newest first: all of it, or that to one address. */
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

  /** The names of the service are known only once it has opened its database. */
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

const range = {
  text: z.string().max(200).optional().describe('Text in a name, an address or an id.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  after: z.string().max(200).optional().describe('`next` of the previous page.'),
};

function routesOf(kind: RecordKind, data: SandboxData): ControlRoute[] {
  const { create, change, end } = recordKind(kind);
  const [path, withId] = [`/data/${kind}`, `/data/${kind}/{id}`];
  const routes = [
    controlRoute(`GET ${path}`, {
      summary: `Lists ${kind} without secrets, oldest first, with the names of the records that they mention.`,
      query: listQuery(kind),
      async handle({ query }) {
        const { records, next, labels } = await data.page(kind, query);
        return { [kind]: records, next, labels };
      },
    }),
    controlRoute(`POST ${path}`, {
      summary: create.summary,
      body: create.body,
      parsesBody: true,
      handle: ({ body }) => data.create(kind, body as RecordInput),
    }),
    controlRoute(`GET ${withId}`, {
      summary: `Returns a ${RECORDS[kind].one}, the names of the records that it mentions, and what belongs to it.`,
      handle: ({ params: { id = '' } }) => data.find(kind, id),
    }),
  ];
  if (change !== undefined) {
    const edit = controlRoute(`PATCH ${withId}`, {
      summary: change.summary,
      body: change.body,
      parsesBody: true,
      handle: ({ params: { id = '' }, body }) => data.edit(kind, id, body as RecordInput),
    });
    routes.push(edit);
  }
  if (end !== undefined) {
    const { summary } = end;
    const handle: ControlRoute['handle'] = ({ params: { id = '' } }) => data.end(kind, id);
    routes.push({ method: 'DELETE', path: withId, summary, handle });
  }
  return routes;
}

/** Only the fields by which the records of the kind belong to others can limit the list. */
function listQuery(kind: RecordKind) {
  const fields = OWNER_FIELDS.filter((field) => recordKind(kind).owners.includes(field));
  const owner = z.string().max(100).optional().describe('Id of the record to which they belong.');
  return z.strictObject({ ...range, ...Object.fromEntries(fields.map((field) => [field, owner])) });
}

export function dataRoutes(data: SandboxData): readonly ControlRoute[] {
  return [
    controlRoute('GET /data', {
      summary: 'Counts the records of each kind.',
      handle: () => data.counts(),
    }),
    ...RECORD_KINDS.flatMap((kind) => routesOf(kind, data)),
    controlRoute('GET /data/{kind}', {
      summary: 'Names the kinds, in a failure.',
      handle() {
        throw new ControlFailure('not_found', `Use one of ${RECORD_KINDS.join(', ')}.`);
      },
    }),

    controlRoute('POST /memberships', {
      summary: 'Grants a membership of a community or product to a user.',
      body: RECORDS.memberships.create.body,
      parsesBody: true,
      handle: ({ body }) => data.create('memberships', body as RecordInput),
    }),
    controlRoute('POST /memberships/{id}/end', {
      summary: 'Ends a membership now.',
      handle: ({ params: { id = '' } }) => data.endMembership(id),
    }),
    controlRoute('GET /mail', {
      summary: 'Lists the mail, newest first, without HTML.',
      query: z.strictObject({ to: z.string().max(300).optional().describe('Address of the recipient.') }),
      handle: ({ query }) => ({ mail: data.mail(query.to) }),
    }),
    controlRoute('GET /mail/{id}', {
      summary: 'Returns a message: text, HTML and images.',
      handle: ({ params: { id = '' } }) => data.findMail(id),
    }),
    controlRoute('GET /messenger', {
      summary: 'Lists the communities with a messenger bot, and the newest requests to join their chats.',
      handle: () => data.messenger(),
    }),
  ];
}
