import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { changedFields, recordAudit } from '../audit/audit.js';
import type { Brand } from './brand.js';

const brandOfCommunity = prepareQuery((db, values: { communityId: string }) =>
  db
    .selectFrom('communities')
    .select(['name', 'logo_url as logoUrl', 'accent'])
    .where('id', '=', values.communityId),
);

/** Returns a community's brand, or `undefined` if there is no such community. */
export async function communityBrand(db: Database, communityId: string): Promise<Brand | undefined> {
  return await brandOfCommunity.first(db, { communityId });
}

export async function storeCommunityBrand(
  transaction: Database,
  communityId: string,
  { logoUrl, accent }: Omit<Brand, 'name'>,
): Promise<void> {
  const before = await communityBrand(transaction, communityId);
  await transaction
    .updateTable('communities')
    .set({ logo_url: logoUrl, accent })
    .where('id', '=', communityId)
    .execute();
  const details = { fields: changedFields(before, { logoUrl, accent }) };
  await recordAudit(transaction, {
    action: 'community.change',
    subjectId: communityId,
    communityId,
    details,
  });
}
