import type { Clock, GrantMembership, RouteContext } from '@latchkey/server';
import {
  createOperator,
  type Database,
  inTransaction,
  listCommunitiesWithBot,
  listJoinRequests,
} from '@latchkey/server/extension';
import type { ReceivedMail, SandboxMailbox } from '../../mailbox/sandbox-mailbox.js';
import { ControlFailure, unknown } from '../access/control-failure.js';
import { parseInput } from '../access/parse-input.js';
import { type DataRecord, RECORD_KINDS, RECORD_NAMES, type RecordKind } from './records/record-kinds.js';
import { labelsOf, type RecordLabels, type RelatedRecords, relatedTo } from './records/record-labels.js';
import { asRecord, countRecords, listRecords, type RecordPage, type RecordQuery } from './records/records.js';
import { RECORD_WRITES } from './writes/all-writes.js';
import { requireRow } from './writes/current-record.js';
import type { CreatedRecord, WriteContext } from './writes/record-writes.js';

/** Fields of a new record, or changes of one. The control API documents them by kind. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** Message of a list. {@link SandboxData.findMail} also returns its HTML and its images. */
export type ListedMail = Omit<ReceivedMail, 'html' | 'images'>;

/** Records, mail and messenger of the sandbox. Writes follow the rules of the service and record its events. */
export interface SandboxData {
  /** Lists records of one kind without their secrets, oldest first. */
  list(kind: RecordKind, query?: RecordQuery): Promise<readonly DataRecord[]>;
  /** Lists a page, with the start of the next one and the names of the records that it mentions. */
  page(kind: RecordKind, query?: RecordQuery): Promise<RecordPage & { readonly labels: RecordLabels }>;
  counts(): Promise<Readonly<Record<RecordKind, number>>>;
  /** @throws ControlFailure `not_found` if there is no such record. */
  find(kind: RecordKind, id: string): Promise<FoundRecord>;
  /**
   * Creates a record, with its secret if it has one. Secrets can't be read again.
   *
   * @throws ControlFailure `invalid_input` with a message for each wrong field, or `conflict`.
   * @throws OperatorError in the same cases.
   */
  create(kind: RecordKind, input: RecordInput): Promise<CreatedRecord>;
  /**
   * Changes a record. Omitted fields stay unchanged. Returns new secrets, if the change makes some.
   *
   * @throws ControlFailure `method_not_allowed` if the service never changes such a record.
   */
  edit(kind: RecordKind, id: string, changes: RecordInput): Promise<object>;
  /**
   * Ends a record as the service does: deletes, archives, revokes or expires it.
   *
   * @throws ControlFailure `method_not_allowed` if the service never ends such a record.
   */
  end(kind: RecordKind, id: string): Promise<void>;
  /** Grants a membership. An existing membership of the same community or product gets the new period. */
  grantMembership(membership: GrantMembership): Promise<{ id: string }>;
  endMembership(id: string): Promise<void>;
  /** Lists the mail without its HTML and its images, newest first: all of it, or that to one address. */
  mail(to?: string): readonly ListedMail[];
  /** @throws ControlFailure `not_found` if there is no such message. */
  findMail(id: string): ReceivedMail;
  /** Lists the communities with a messenger bot, and the newest requests to join their chats. */
  messenger(): Promise<{ communities: readonly object[] }>;
}

interface DataNeeds {
  readonly mailbox: SandboxMailbox;
  readonly clock: Clock;
  context(): RouteContext;
  /** Publishes that a record was written. */
  onWrite(change: { kind: RecordKind; id: string; change: 'created' | 'edited' | 'ended' }): void;
}

/** Number of communities, and of join requests of each, that are listed. */
const LISTED = 100;

/** A sandbox may send events to the receiver on its own machine. */
const WEBHOOK_POLICY = { allowLoopback: true } as const;

/** Creates the access to the data. All writes are calls of the server's operator or of its domain, in one transaction. */
export function createData({ mailbox, clock, context, onWrite }: DataNeeds): SandboxData {
  const db = () => context().db;
  const write = <Result>(work: (context: WriteContext) => Promise<Result>) => {
    const { baseUrl, serviceNames, logger } = context();
    return inTransaction(db(), (transaction) => {
      const needs = { baseUrl, serviceNames, clock, logger, db: transaction, webhookPolicy: WEBHOOK_POLICY };
      return work({ db: transaction, operator: createOperator(needs), clock, baseUrl });
    });
  };
  const grantMembership = async (membership: GrantMembership) => {
    const granted = await write(({ operator }) => operator.grantMembership(membership));
    onWrite({ kind: 'memberships', id: granted.id, change: 'created' });
    return granted;
  };
  const end = async (kind: RecordKind, id: string) => {
    const ending = RECORD_WRITES[kind].end ?? notPossible(kind, 'ends');
    await write((context) => ending.run(id, context));
    onWrite({ kind, id, change: 'ended' });
  };
  return {
    list: async (kind, query = {}) =>
      (await listRecords({ db: db(), now: clock.now() }, kind, query)).records,
    async page(kind, query = {}) {
      const page = await listRecords({ db: db(), now: clock.now() }, kind, query);
      return { ...page, labels: await labelsOf(db(), page.records) };
    },
    async counts() {
      const counts = await Promise.all(
        RECORD_KINDS.map(async (kind) => [kind, await countRecords(db(), kind)]),
      );
      return Object.fromEntries(counts) as Record<RecordKind, number>;
    },
    find: (kind, id) => findRecord({ db: db(), now: clock.now() }, kind, id),
    async create(kind, input) {
      const { body, run } = RECORD_WRITES[kind].create;
      const fields = parseInput(body, input);
      const created = await write((context) => run(fields, context));
      onWrite({ kind, id: created.id, change: 'created' });
      return created;
    },
    async edit(kind, id, changes) {
      const { body, run } = RECORD_WRITES[kind].edit ?? notPossible(kind, 'changes');
      const fields = parseInput(body, changes);
      const result = await write((context) => run(id, fields, context));
      onWrite({ kind, id, change: 'edited' });
      return result ?? {};
    },
    end,
    grantMembership,
    endMembership: (id) => end('memberships', id),
    mail: (to) => mailbox.list(to).map(({ html, images, ...listed }) => listed),
    findMail: (id) => mailbox.find(id) ?? throwUnknown(id),
    async messenger() {
      const communities = await listCommunitiesWithBot(db(), LISTED);
      return {
        communities: await Promise.all(
          communities.map(async (community) => ({
            ...community,
            joinRequests: await listJoinRequests(db(), community.id, LISTED),
          })),
        ),
      };
    },
  };
}

function throwUnknown(id: string): never {
  throw unknown('message', id);
}

function notPossible(kind: RecordKind, verb: 'changes' | 'ends'): never {
  throw new ControlFailure('method_not_allowed', `The service never ${verb} a ${RECORD_NAMES[kind]}.`);
}

/** Record with what belongs to it. */
interface FoundRecord {
  readonly record: DataRecord;
  /** Names of the records that it mentions, by id. */
  readonly labels: RecordLabels;
  readonly related: readonly RelatedRecords[];
}

/** @throws ControlFailure `not_found` if there is no such record. */
async function findRecord(
  { db, now }: { db: Database; now: number },
  kind: RecordKind,
  id: string,
): Promise<FoundRecord> {
  const row = await requireRow(db, kind, id);
  const record = { ...asRecord(kind, row, now), ...(await moreAbout(db, kind, id)) };
  return { record, labels: await labelsOf(db, [record]), related: await relatedTo(db, kind, id) };
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
