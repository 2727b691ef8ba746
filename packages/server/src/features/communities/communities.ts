import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { countRows } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { type AuditEntry, audited, changedFields, recordAudit } from '../audit/audit.js';
import { type Brand, communityBrand } from '../brand/brand.js';
import { asAdministrator, type CommunityActor, type LimitedCreation } from './community-access.js';

interface NewCommunity {
  id: string;
  name: string;
  ownerId: string;
  logoUrl?: string | null | undefined;
  accent?: string | null | undefined;
}

const communityById = prepareQuery((db, values: { id: string }) =>
  db
    .selectFrom('communities')
    .select(['id', 'name'])
    .where('id', '=', values.id)
    .where('closed_at', 'is', null),
);

const communityWithRole = prepareQuery((db, values: { userId: string; communityId: string }) =>
  db
    .selectFrom('communities')
    .leftJoin('community_roles', (join) =>
      join
        .onRef('community_roles.community_id', '=', 'communities.id')
        .on('community_roles.user_id', '=', values.userId)
        .on('community_roles.is_active', '=', 1),
    )
    .select(['communities.id', 'communities.name', 'community_roles.role'])
    .where('communities.id', '=', values.communityId)
    .where('communities.closed_at', 'is', null),
);

/** Returns an open community. Outside the books, a closed one counts as missing. */
export async function findCommunity(db: Database, id: string) {
  return await communityById.first(db, { id });
}

export async function findCommunityFor(db: Database, userId: string, communityId: string) {
  return await communityWithRole.first(db, { userId, communityId });
}

const COMMUNITIES_MAX_PER_OWNER = 20;

export async function createCommunity(
  db: Database,
  community: Omit<NewCommunity, 'id'>,
  now: number,
): Promise<LimitedCreation> {
  return await inTransaction(db, async (transaction) => {
    const roles = transaction.selectFrom('community_roles').where('user_id', '=', community.ownerId);
    if ((await countRows(roles.where('role', '=', 'OWNER'))) >= COMMUNITIES_MAX_PER_OWNER) {
      return { kind: 'full', max: COMMUNITIES_MAX_PER_OWNER };
    }
    const id = randomUUID();
    await insertCommunity(transaction, { id, ...community }, now);
    return { kind: 'created', id };
  });
}

/** False if the id is taken. */
export async function insertCommunity(
  db: Database,
  { id, name, ownerId, logoUrl = null, accent = null }: NewCommunity,
  now: number,
): Promise<boolean> {
  return await inTransaction(db, async (transaction) => {
    const created = await transaction
      .insertInto('communities')
      .values({ id, name, logo_url: logoUrl, accent, created_at: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created === undefined) return false;
    await transaction
      .insertInto('community_roles')
      .values({ community_id: id, user_id: ownerId, role: 'OWNER', is_active: 1 })
      .execute();
    const details = { ownerId };
    await recordAudit(transaction, { action: 'community.create', subjectId: id, communityId: id, details });
    return true;
  });
}

export function changeCommunity(db: Database, actor: CommunityActor, change: Partial<Brand>) {
  return asAdministrator(db, actor, (transaction) => storeBrand(transaction, actor.communityId, change));
}

export async function storeBrand(
  transaction: Database,
  communityId: string,
  change: Partial<Brand>,
): Promise<void> {
  const { logoUrl: logo_url, ...others } = change;
  const details = { fields: changedFields(await communityBrand(transaction, communityId), change) };
  const community = transaction.updateTable('communities').where('id', '=', communityId);
  await community.set({ ...others, ...(logo_url !== undefined && { logo_url }) }).execute();
  const action = 'community.change';
  await recordAudit(transaction, { action, subjectId: communityId, communityId, details });
}

export async function storeBotName(db: Database, communityId: string, name: string | null, now: number) {
  const details = { fields: ['messengerBot'] };
  const entry: AuditEntry = { action: 'community.change', subjectId: communityId, communityId, details };
  await audited(
    db,
    entry,
    (transaction): Promise<unknown> =>
      name === null
        ? transaction.deleteFrom('messenger_bots').where('community_id', '=', communityId).execute()
        : transaction
            .insertInto('messenger_bots')
            .values({ community_id: communityId, name, created_at: now })
            .onConflict((conflict) => conflict.column('community_id').doUpdateSet({ name }))
            .execute(),
  );
}

export function setBot(db: Database, actor: CommunityActor, bot: { name: string | null; now: number }) {
  return asAdministrator(db, actor, (transaction) =>
    storeBotName(transaction, actor.communityId, bot.name, bot.now),
  );
}

export async function findBotName(db: Database, communityId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('messenger_bots')
    .select('name')
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  return row?.name;
}

export async function listCommunitiesWithBot(db: Database, limit: number) {
  return await db
    .selectFrom('communities')
    .innerJoin('messenger_bots', 'messenger_bots.community_id', 'communities.id')
    .select(['communities.id', 'communities.name', 'messenger_bots.name as botName'])
    .orderBy('communities.created_at')
    .orderBy('communities.id')
    .limit(limit)
    .execute();
}
