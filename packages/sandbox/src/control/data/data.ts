import type { GrantMembership } from '@latchkey/server';
import {
  createOperator,
  type Database,
  inTransaction,
  listCommunitiesWithBot,
  listJoinRequests,
} from '@latchkey/server/extension';
import * as z from 'zod';
import type { ReceivedMail, SandboxMailbox } from '../../mailbox/sandbox-mailbox.js';
import type { Needs } from '../../services/services.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import { type ControlRoute, controlRoute } from '../access/control-route.js';
import { parseInput } from '../access/parse-input.js';
import { OWNER_FIELDS, RECORD_KINDS, RECORD_TABLES, type RecordKind } from './records/record-tables.js';
import {
  asRecord,
  countRecords,
  type DataRecord,
  labelsOf,
  listRecords,
  type RecordLabels,
  type RecordPage,
  type RecordQuery,
  type RelatedRecords,
  relatedTo,
  requireRow,
} from './records/records.js';
import { RECORD_WRITES } from './writes/all-writes.js';
import { membershipGrant } from './writes/membership-writes.js';
import { type CreatedRecord, defined, type WriteContext } from './writes/record-writes.js';

/** Fields of a new record, or changes of one. The control API documents them by kind. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** Record with what belongs to it. */
interface FoundRecord {
  readonly record: DataRecord;
  /** Names of the records that it mentions, by id. */
  readonly labels: RecordLabels;
  readonly related: readonly RelatedRecords[];
}

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

  constructor(
    services: Needs<'baseUrl' | 'clock' | 'db' | 'hub' | 'logger' | 'serviceNames'>,
    mailbox: SandboxMailbox,
  ) {
    this.#services = services;
    this.#mailbox = mailbox;
  }

  /** Lists records of one kind without their secrets, oldest first. */
  async list(kind: RecordKind, query: RecordQuery = {}): Promise<readonly DataRecord[]> {
    return (await listRecords(this.#services, kind, query)).records;
  }

  /** Lists a page, with the start of the next one and the names of the records that it mentions. */
  async page(kind: RecordKind, query: RecordQuery = {}): Promise<RecordPage & { labels: RecordLabels }> {
    const page = await listRecords(this.#services, kind, query);
    return { ...page, labels: await labelsOf(this.#services.db, page.records) };
  }

  async counts(): Promise<Readonly<Record<RecordKind, number>>> {
    const { db } = this.#services;
    const counts = await Promise.all(RECORD_KINDS.map(async (kind) => [kind, await countRecords(db, kind)]));
    return Object.fromEntries(counts);
  }

  /** @throws ControlFailure `not_found` if there is no such record. */
  async find(kind: RecordKind, id: string): Promise<FoundRecord> {
    const { db, clock } = this.#services;
    const row = await requireRow(db, kind, id);
    const record = { ...asRecord(kind, row, clock.now()), ...(await moreAbout(db, kind, id)) };
    return { record, labels: await labelsOf(db, [record]), related: await relatedTo(db, kind, id) };
  }

  /**
   * Creates a record, with its secret if it has one. Secrets can't be read again.
   *
   * @throws ControlFailure `invalid_input` with a message for each wrong field, or `conflict`.
   * @throws OperatorError in the same cases.
   */
  async create(kind: RecordKind, input: RecordInput): Promise<CreatedRecord> {
    const { body, run } = RECORD_WRITES[kind].create;
    const fields = parseInput(body, input);
    const created = await this.#write((context) => run(fields, context));
    return this.#published(created, { kind, id: created.id, change: 'created' });
  }

  /**
   * Changes a record. Omitted fields stay unchanged. Returns new secrets, if the change makes some.
   *
   * @throws ControlFailure `method_not_allowed` if the service never changes such a record.
   */
  async edit(kind: RecordKind, id: string, changes: RecordInput): Promise<object> {
    const { body, run } = RECORD_WRITES[kind].edit ?? notPossible(kind, 'changes');
    const fields = parseInput(body, changes);
    const result = await this.#write((context) => run(id, fields, context));
    return this.#published(result ?? {}, { kind, id, change: 'edited' });
  }

  /**
   * Ends a record as the service does: deletes, archives, revokes or expires it.
   *
   * @throws ControlFailure `method_not_allowed` if the service never ends such a record.
   */
  async end(kind: RecordKind, id: string): Promise<void> {
    const { run } = RECORD_WRITES[kind].end ?? notPossible(kind, 'ends');
    await this.#write((context) => run(id, context));
    this.#published(undefined, { kind, id, change: 'ended' });
  }

  /** Grants a membership. An existing membership of the same community or product gets the new period. */
  async grantMembership(membership: GrantMembership): Promise<{ id: string }> {
    const granted = await this.#write(({ operator }) => operator.grantMembership(membership));
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

  #write<Result>(work: (context: WriteContext) => Promise<Result>): Promise<Result> {
    const { db, clock, baseUrl, serviceNames, logger } = this.#services;
    return inTransaction(db, (transaction) => {
      const needs = { baseUrl, serviceNames, clock, logger, db: transaction, webhookPolicy: WEBHOOK_POLICY };
      return work({ db: transaction, operator: createOperator(needs), clock, baseUrl });
    });
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

function notPossible(kind: RecordKind, verb: 'changes' | 'ends'): never {
  throw new ControlFailure('method_not_allowed', `The service never ${verb} a ${RECORD_TABLES[kind].one}.`);
}

/** Returns fields of other tables that a change of the record can set. */
async function moreAbout(db: Database, kind: RecordKind, id: string): Promise<DataRecord> {
  if (kind === 'users') {
    const grant = await db
      .selectFrom('provisioning_grants')
      .select('user_id')
      .where('user_id', '=', id)
      .executeTakeFirst();
    return { mayProvision: grant !== undefined };
  }
  if (kind !== 'communities') return {};
  const bot = await db
    .selectFrom('messenger_bots')
    .select('name')
    .where('community_id', '=', id)
    .executeTakeFirst();
  return { messengerBot: bot?.name ?? null };
}

const range = {
  text: z.string().max(200).optional().describe('Text in a name, an address or an id.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  after: z.string().max(200).optional().describe('`next` of the previous page.'),
};

function routesOf(kind: RecordKind, data: SandboxData): ControlRoute[] {
  const { create, edit, end } = RECORD_WRITES[kind];
  const [path, withId] = [`/data/${kind}`, `/data/${kind}/{id}`];
  const routes = [
    controlRoute(`GET ${path}`, {
      summary: `Lists ${kind} without secrets, oldest first, with the names of the records that they mention.`,
      query: listQuery(kind),
      async handle({ query }) {
        const { records, next, labels } = await data.page(kind, defined(query));
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
      summary: `Returns a ${RECORD_TABLES[kind].one}, the names of the records that it mentions, and what belongs to it.`,
      handle: ({ params: { id = '' } }) => data.find(kind, id),
    }),
  ];
  if (edit !== undefined) {
    const change = controlRoute(`PATCH ${withId}`, {
      summary: edit.summary,
      body: edit.body,
      parsesBody: true,
      handle: ({ params: { id = '' }, body }) => data.edit(kind, id, body as RecordInput),
    });
    routes.push(change);
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
  const fields = OWNER_FIELDS.filter((field) => RECORD_TABLES[kind].owners.includes(field));
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
      body: membershipGrant,
      handle: ({ body }) => data.grantMembership(defined(body)),
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
