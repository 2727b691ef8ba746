import type { Database } from '../../../platform/database/open-database.js';

/** Maximum number of communities, and of products, that a form offers. Sellers cannot create more of them. */
const OFFERED_SUBJECTS = 100;

/** Community or product that a webhook can be for. */
export interface WebhookSubject {
  id: string;
  name: string;
}

/** Lists communities that the user owns, by id, and products of the user, oldest first. */
export async function listWebhookSubjects(
  db: Database,
  userId: string,
): Promise<{ communities: WebhookSubject[]; products: WebhookSubject[] }> {
  const communities = await db
    .selectFrom('community_roles')
    .innerJoin('communities', 'communities.id', 'community_roles.community_id')
    .select(['communities.id', 'communities.name'])
    .where('community_roles.user_id', '=', userId)
    .where('community_roles.role', '=', 'OWNER')
    .where('community_roles.is_active', '=', 1)
    .orderBy('community_roles.community_id')
    .limit(OFFERED_SUBJECTS)
    .execute();
  const products = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('owner_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(OFFERED_SUBJECTS)
    .execute();
  return { communities, products };
}

/** True if the user has the OWNER role in the community, or sells the product. */
export async function ownsSubject(
  db: Database,
  ownerId: string,
  { communityId, productId }: { communityId: string | null; productId: string | null },
): Promise<boolean> {
  const row =
    communityId === null
      ? await db
          .selectFrom('products')
          .select('id')
          .where('id', '=', productId)
          .where('owner_id', '=', ownerId)
          .executeTakeFirst()
      : await db
          .selectFrom('community_roles')
          .select('user_id')
          .where('community_id', '=', communityId)
          .where('user_id', '=', ownerId)
          .where('role', '=', 'OWNER')
          .where('is_active', '=', 1)
          .executeTakeFirst();
  return row !== undefined;
}
