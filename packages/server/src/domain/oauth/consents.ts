import { isOAuthScope, type OAuthScope } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { asPage, countRows, PAGE_SIZE } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { type AuditEntry, audited } from '../audit/audit.js';
import { revokeClientAccess } from './token-pairs.js';

/** A user's side of a consent. */
interface ConsentKey {
  userId: string;
  clientId: string;
}

/** True if the user has allowed the client every scope. */
export async function coversScopes(
  db: Database,
  { userId, clientId }: ConsentKey,
  scopes: readonly string[],
) {
  const rows = await db
    .selectFrom('consents')
    .select('scope')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .execute();
  const granted = new Set(rows.map(({ scope }) => scope));
  return scopes.every((scope) => granted.has(scope));
}

export async function grantConsent(
  db: Database,
  { userId, clientId, scopes }: ConsentKey & { scopes: readonly string[] },
  now: number,
): Promise<void> {
  const details = { scopes, userId };
  await audited(db, { action: 'consent.grant', subjectId: clientId, details }, (transaction) =>
    transaction
      .insertInto('consents')
      .values(scopes.map((scope) => ({ user_id: userId, client_id: clientId, scope, granted_at: now })))
      .onConflict((conflict) => conflict.columns(['user_id', 'client_id', 'scope']).doNothing())
      .execute(),
  );
}

/** Lists one page of the apps that a user has allowed, by client id. On a page, the oldest consent comes first. */
export async function listConsents(db: Database, userId: string, after?: string | undefined) {
  const clients = await db
    .selectFrom('consents')
    .select('client_id')
    .distinct()
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('client_id', '>', after ?? ''))
    .orderBy('client_id')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = asPage(clients, ({ client_id }) => client_id);
  if (page.rows.length === 0) return { rows: [], next: undefined };
  const rows = await db
    .selectFrom('consents')
    .innerJoin('oauth_clients', 'oauth_clients.client_id', 'consents.client_id')
    .select(['consents.client_id as clientId', 'oauth_clients.name', 'oauth_clients.logo_url as logoUrl'])
    .select(['consents.scope', 'consents.granted_at as grantedAt'])
    .where('consents.user_id', '=', userId)
    .where(
      'consents.client_id',
      'in',
      page.rows.map(({ client_id }) => client_id),
    )
    .orderBy('consents.granted_at')
    .orderBy('consents.client_id')
    .orderBy('consents.scope')
    .execute();
  // The first row of an app has the time at which the first of its scopes was allowed.
  const apps = new Map<string, Omit<(typeof rows)[number], 'scope'> & { scopes: OAuthScope[] }>();
  for (const { scope, ...first } of rows) {
    const app = apps.get(first.clientId) ?? { ...first, scopes: [] };
    if (isOAuthScope(scope)) app.scopes.push(scope);
    apps.set(app.clientId, app);
  }
  return { rows: [...apps.values()], next: page.next };
}

/** Returns the number of clients that a user has allowed at least one scope. */
export function countConsents(db: Database, userId: string): Promise<number> {
  return countRows(
    db.selectFrom(
      db.selectFrom('consents').select('client_id').distinct().where('user_id', '=', userId).as('apps'),
    ),
  );
}

/** Returns the number of users who have allowed a client at least one scope. */
export function countConsentingUsers(db: Database, clientId: string): Promise<number> {
  const users = db.selectFrom('consents').select('user_id').distinct().where('client_id', '=', clientId);
  return countRows(db.selectFrom(users.as('people')));
}

/** True if a user has allowed a client of this owner. */
export async function hasConsentingUsers(db: Database, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_clients')
    .innerJoin('consents', 'consents.client_id', 'oauth_clients.client_id')
    .select('oauth_clients.client_id')
    .where('oauth_clients.owner_id', '=', ownerId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes a consent with its codes and tokens, in one transaction. */
export async function revokeConsent(db: Database, { userId, clientId }: ConsentKey, now: number) {
  await inTransaction(db, async (transaction) => {
    const entry: AuditEntry = { action: 'consent.revoke', subjectId: clientId, details: { userId } };
    await audited(transaction, entry, () =>
      transaction
        .deleteFrom('consents')
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .returning('client_id')
        .executeTakeFirst(),
    );
    await revokeClientAccess(transaction, { userId, clientId }, now);
  });
}
