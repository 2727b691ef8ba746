import { AsyncLocalStorage } from 'node:async_hooks';
import type { Row, Schema } from '../../migrations/schema.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import type { Compilable } from '../../platform/database/kysely.js';
import type { Database } from '../../platform/database/open-database.js';
import { pick, prepareDeferredWrite, prepareQuery } from '../../platform/database/prepared-query.js';
import { camelCased, PAGE_SIZE } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { timeOrderedId } from '../../platform/secrets.js';

/** Everything that the audit log records, grouped by the kind of thing that the subject's id identifies. */
export const AUDIT_ACTIONS = {
  user: [
    ...([
      'user.create',
      'user.change',
      'user.link',
      'user.merge',
      'user.confirm',
      'user.export',
      'user.delete',
      'user.end-sessions',
    ] as const),
    ...(['two-step.turn-on', 'two-step.turn-off', 'two-step.renew-recovery-codes'] as const),
    ...(['two-step.use-recovery-code', 'grant.redeem', 'grant.revoke', 'token.revoke'] as const),
    ...(['role.assign', 'role.end', 'provisioning.allow', 'provisioning.withdraw'] as const),
    ...(['operator.appoint', 'operator.change', 'operator.remove'] as const),
  ],
  session: ['session.start', 'session.end'],
  client: [
    ...(['client.create', 'client.change', 'client.replace-secret', 'client.delete'] as const),
    ...(['client.verify', 'client.withdraw-verification', 'consent.grant', 'consent.revoke'] as const),
  ],
  key: ['key.create', 'key.revoke'],
  webhook: ['webhook.create', 'webhook.change', 'webhook.reveal-secret', 'webhook.pause', 'webhook.delete'],
  delivery: ['delivery.resend'],
  community: ['community.create', 'community.change', 'community.close'],
  plan: ['plan.create', 'plan.change'],
  product: ['product.create', 'product.change', 'product.hand-over', 'product.delete'],
  drop: ['drop.create', 'drop.change', 'drop.end'],
  signup: ['signup.create'],
  invitation: ['invitation.create', 'invitation.accept', 'invitation.decline', 'invitation.withdraw'],
  /** A mailbox has no id other than its address, so these entries have no subject id. */
  mailbox: ['opt-out.set', 'opt-out.withdraw'],
  membership: ['membership.create', 'membership.change', 'membership.cancel-renewal', 'membership.end'],
  reservation: ['checkout.open'],
  payment: ['payment.create', 'payment.refund', 'payment.dispute', 'payment.request-refund'],
  invite: ['invite.create', 'invite.join'],
  /** Many rows at once, changed by an operator's tool. The log itself isn't changed. */
  data: ['data.replace', 'data.add'],
} as const;

type SubjectKind = keyof typeof AUDIT_ACTIONS;

export type AuditAction = (typeof AUDIT_ACTIONS)[SubjectKind][number];

/** Who caused a change. `visitor`: a request that doesn't prove who sent it. `system`: nobody, only time passing. */
export type ActorKind = Schema['audit_entries']['actor_kind'];

interface Acting {
  kind: ActorKind;
  id: string | null;
  readonly clock: Clock;
  /** Hash of the session that the request's changes need. */
  sessionHash?: string;
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs the work. The audit log attributes its changes to the actor, with the clock's time. */
export function actingAs<Result>(kind: ActorKind, clock: Clock, work: () => Result): Result {
  return acting.run({ kind, id: null, clock }, work);
}

/** Attributes the rest of a request's changes to the actor it has authenticated. */
export function identifyActor(kind: ActorKind, id: string | null): void {
  const current = acting.getStore();
  if (current !== undefined) Object.assign(current, { kind, id });
}

/** A thief may have requests in flight when the session is ended. They change nothing any more. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';
}

/** From now on, the request's changes throw a {@link SessionEndedError} once the session has ended. */
export function requireSession(sessionHash: string): void {
  const current = acting.getStore();
  if (current !== undefined) Object.assign(current, { sessionHash });
}

/** What a session does to itself. */
const ENDS_SESSIONS: readonly AuditAction[] = ['session.end', 'user.end-sessions', 'user.delete'];

/** Its end waits for the lock, and then finds what the session has changed. */
const lockSession = prepareQuery((db, values: { sessionHash: string }) =>
  db.selectFrom('user_sessions').select('id_hash').where('id_hash', '=', values.sessionHash).forKeyShare(),
);

/** Contains ids and field names, and never a secret, an address or anything that a person typed. */
export interface AuditEntry {
  action: AuditAction;
  subjectId: string | null;
  communityId?: string | null | undefined;
  details?: AuditDetails;
}

type AuditDetails = Readonly<Record<string, string | boolean | null | readonly string[]>>;

const insertEntry = prepareDeferredWrite((db, values: Schema['audit_entries']) =>
  db
    .insertInto('audit_entries')
    .values(
      pick(values, [
        'id',
        'created_at',
        'actor_kind',
        'actor_id',
        'action',
        'subject_id',
        'community_id',
        'details',
      ]),
    ),
);

/** Records a change in the change's transaction: either both are stored or neither is. */
export async function recordAudit(
  transaction: Database,
  { action, subjectId, communityId = null, details = {} }: AuditEntry,
): Promise<void> {
  const actor: Acting = acting.getStore() ?? { kind: 'system', id: null, clock: systemClock };
  const { kind, id, clock, sessionHash } = actor;
  if (sessionHash !== undefined && !ENDS_SESSIONS.includes(action)) {
    if ((await lockSession.first(transaction, { sessionHash })) === undefined) throw new SessionEndedError();
  }
  const now = clock.now();
  await insertEntry.run(transaction, {
    id: timeOrderedId(now),
    created_at: now,
    actor_kind: kind,
    actor_id: id,
    action,
    subject_id: subjectId,
    community_id: communityId,
    details: JSON.stringify(details),
  });
}

/** Makes a change and records it in one transaction, unless `change` returns `false` or `undefined`. */
export async function audited<Result>(
  db: Database,
  entry: AuditEntry,
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const work = async (transaction: Database) => {
    const result = await change(transaction);
    if (result !== undefined && result !== false) await recordAudit(transaction, entry);
    return result;
  };
  return await inTransaction(db, work, { isolation: 'read committed' });
}

/** Runs one write, and records it if it changed a row. Returns whether it did. */
export async function auditedWrite(
  db: Database,
  entry: AuditEntry,
  writeOf: (transaction: Database) => Compilable,
): Promise<boolean> {
  return await audited(db, entry, async (transaction) => {
    const { numAffectedRows = 0n } = await transaction.executeQuery(writeOf(transaction));
    return numAffectedRows > 0n;
  });
}

export function changedFields<Fields extends object>(before: Partial<Fields> | undefined, after: Fields) {
  const names = Object.keys(after) as (keyof Fields & string)[];
  return names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
}

export interface AuditListOptions {
  actorId?: string | undefined;
  subjectId?: string | undefined;
  communityId?: string | undefined;
  action?: AuditAction | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** @default 50 */
  limit?: number;
}

export async function listAuditEntries(db: Database, options: AuditListOptions = {}) {
  const { after, limit = PAGE_SIZE, ...filters } = options;
  const columns = {
    actor_id: filters.actorId,
    subject_id: filters.subjectId,
    community_id: filters.communityId,
    action: filters.action,
  };
  let entries = db.selectFrom('audit_entries').selectAll();
  for (const [column, value] of Object.entries(columns) as [keyof typeof columns, string | undefined][]) {
    if (value !== undefined) entries = entries.where(column, '=', value);
  }
  if (after !== undefined) entries = entries.where('id', '<', after);
  const rows = await entries
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  return { rows: page.map(asEntry), next: rows.length > limit ? page.at(-1)?.id : undefined };
}

/** Returns the ids of what a user has changed by one of the actions since an instant. */
export async function listChanged(
  db: Database,
  { userId, since }: { userId: string; since: number },
  actions: readonly AuditAction[],
): Promise<string[]> {
  const changed = await db
    .selectFrom('audit_entries')
    .select((eb) => eb.ref('subject_id').$notNull().as('id'))
    .distinct()
    .where('actor_kind', '=', 'user')
    .where('actor_id', '=', userId)
    .where('created_at', '>=', since)
    .where('action', 'in', actions)
    .execute();
  return changed.map(({ id }) => id);
}

function asEntry(row: Row<'audit_entries'>) {
  const kinds = Object.entries(AUDIT_ACTIONS) as [SubjectKind, readonly string[]][];
  const [subjectKind] = kinds.find(([, actions]) => actions.includes(row.action)) ?? [];
  return { ...camelCased(row), subjectKind, details: JSON.parse(row.details) as AuditDetails };
}
