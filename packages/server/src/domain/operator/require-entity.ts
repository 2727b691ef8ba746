import type { Database } from '../../platform/database/open-database.js';
import { productExists } from '../catalogue/products.js';
import { findCommunity } from '../communities/communities.js';
import { findUser } from '../users/users.js';
import { notFound } from './operator-error.js';

/** @throws OperatorError `not_found` if there is no such user. */
export async function requireUser(db: Database, id: string, field = 'userId'): Promise<void> {
  if ((await findUser(db, id)) === undefined) throw notFound('user', id, field);
}

/** @throws OperatorError `not_found` if there is no such community. */
export async function requireCommunity(db: Database, id: string, field = 'communityId'): Promise<void> {
  if ((await findCommunity(db, id)) === undefined) throw notFound('community', id, field);
}

/** @throws OperatorError `not_found` if there is no such product. */
export async function requireProduct(db: Database, id: string, field = 'productId'): Promise<void> {
  if (!(await productExists(db, id))) throw notFound('product', id, field);
}
