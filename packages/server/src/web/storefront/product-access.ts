import type { Needs } from '../../app/services.js';
import { isOwnedForLife } from '../../domain/checkout/bought-before.js';
import { isActive } from '../../domain/memberships/membership-state.js';
import { findMembership } from '../../domain/memberships/memberships.js';
import type { ProductPageProps } from './product-page.js';

/** Access of a user to a product: none, until a time, or for life. */
export type ProductAccess = NonNullable<ProductPageProps['visitor']>['access'];

/** Returns the current access of a user to a product. */
export async function productAccess(
  { db, clock }: Needs<'clock' | 'db'>,
  userId: string,
  productId: string,
): Promise<ProductAccess> {
  const membership = await findMembership(db, userId, { productId });
  const now = clock.now();
  if (await isOwnedForLife(db, membership, now)) return 'for-life';
  if (membership === undefined || membership.valid_until === null || !isActive(membership, now))
    return 'none';
  return { until: membership.valid_until };
}
