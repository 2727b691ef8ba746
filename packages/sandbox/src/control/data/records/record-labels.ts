import type { Database } from '@latchkey/server/extension';
import type { DataRecord, OwnerField, RecordKind } from './record-kinds.js';
import { countRecords } from './records.js';

export type RecordLabels = Readonly<Record<string, string>>;

/** Records of one kind that belong to a record. */
export interface RelatedRecords {
  readonly kind: RecordKind;
  /** Field that limits a list of the kind to these records. */
  readonly field: OwnerField;
  readonly count: number;
}

/** Kind of the record that a field names. */
const KIND_OF_FIELD: Readonly<Record<string, RecordKind>> = {
  userId: 'users',
  ownerId: 'users',
  callerId: 'users',
  communityId: 'communities',
  productId: 'products',
  pricingPlanId: 'plans',
  dropSlotId: 'drops',
};

/** Kinds whose records belong to a record, by its kind. */
const RELATED: Readonly<Partial<Record<RecordKind, readonly (readonly [RecordKind, OwnerField])[]>>> = {
  users: [
    ['memberships', 'userId'],
    ['roles', 'userId'],
    ['reservations', 'userId'],
    ['products', 'ownerId'],
    ['clients', 'ownerId'],
    ['keys', 'ownerId'],
    ['webhooks', 'ownerId'],
  ],
  communities: [
    ['memberships', 'communityId'],
    ['plans', 'communityId'],
    ['roles', 'communityId'],
    ['drops', 'communityId'],
    ['reservations', 'communityId'],
    ['webhooks', 'communityId'],
  ],
  products: [
    ['memberships', 'productId'],
    ['reservations', 'productId'],
    ['webhooks', 'productId'],
  ],
  plans: [
    ['memberships', 'pricingPlanId'],
    ['reservations', 'pricingPlanId'],
  ],
  drops: [['signups', 'dropSlotId']],
};

/** Returns the names of the records that other records mention. */
export async function labelsOf(db: Database, records: readonly DataRecord[]): Promise<RecordLabels> {
  const ids = new Map<RecordKind, Set<string>>();
  for (const record of records) {
    for (const [field, kind] of Object.entries(KIND_OF_FIELD)) {
      const id = record[field];
      if (typeof id === 'string') ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
    }
  }
  const labels: Record<string, string> = {};
  for (const [kind, found] of ids) Object.assign(labels, await namesOf(db, kind, [...found]));
  return labels;
}

/** Counts what belongs to a record. */
export async function relatedTo(db: Database, kind: RecordKind, id: string): Promise<RelatedRecords[]> {
  const related: RelatedRecords[] = [];
  for (const [of, field] of RELATED[kind] ?? [])
    related.push({ kind: of, field, count: await countRecords(db, of, { [field]: id }) });
  return related;
}

async function namesOf(db: Database, kind: RecordKind, ids: string[]): Promise<RecordLabels> {
  if (kind === 'users') {
    const users = await db
      .selectFrom('users')
      .select(['id', 'email', 'name'])
      .where('id', 'in', ids)
      .execute();
    return Object.fromEntries(users.map(({ id, email, name }) => [id, email ?? name ?? id]));
  }
  const table = {
    communities: 'communities',
    products: 'products',
    plans: 'pricing_plans',
    drops: 'drop_slots',
  }[kind as 'communities'];
  const named = await db
    .selectFrom(table as 'communities')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return Object.fromEntries(named.map(({ id, name }) => [id, name]));
}
