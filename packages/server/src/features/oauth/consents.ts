import { formatScopeList, isOAuthScope, type OAuthScope, parseScopeList } from '@latchkey/contract/constants';
import type { Row } from '../../migrations/schema.js';
import type { Database } from '../../platform/database/open-database.js';
import { asPage, countRows, hasRows, PAGE_SIZE } from '../../platform/database/rows.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { hashSecret } from '../../platform/secrets.js';
import { type AuditEntry, audited, auditedWrite } from '../audit/audit.js';
import type { OAuthClient } from '../clients/clients.js';
import { tellIdToOwnerOf } from '../memberships/claims.js';
import { revokeClientAccess } from './token-pairs.js';

/** What the consent page shows of a request. A consent is valid for exactly this. */
export interface ShownRequest {
  client: Pick<OAuthClient, 'clientId' | 'name' | 'description' | 'logoUrl' | 'verifiedAt'>;
  redirectUri: string;
  /** Origin that receives the code; `undefined` if no page receives it. */
  receiver: string | undefined;
  scopes: readonly string[];
}

export type ConsentChange =
  | { readonly kind: 'name'; readonly was: string }
  | { readonly kind: 'look' | 'verification' | 'receiver' | 'redirect-uri' | 'scopes' };

type Consent = Row<'consents'>;

/** Returns a hash of everything that a consent page showed. A form with the hash counts for nothing else. */
export function hashOfShown(request: ShownRequest): string {
  const { client, scopes } = request;
  const shown = [client.name, lookHash(request), client.verifiedAt !== null, placeHash(request), ...scopes];
  return hashSecret(JSON.stringify(shown));
}

export async function isAllowed(db: Database, userId: string, request: ShownRequest): Promise<boolean> {
  const consent = await findConsent(db, userId, request);
  return consent !== undefined && changesSince(consent, request).length === 0;
}

/** Compares with the consent for the same address, else with the newest one. `undefined` if there is none. */
export async function changesSinceConsent(
  db: Database,
  userId: string,
  request: ShownRequest,
): Promise<{ allowedAt: number; changes: ConsentChange[] } | undefined> {
  const consent =
    (await findConsent(db, userId, request)) ??
    (await consentsTo(db, userId, request).orderBy('granted_at', 'desc').limit(1).executeTakeFirst());
  return consent && { allowedAt: consent.granted_at, changes: changesSince(consent, request) };
}

/** Scopes that the user allowed before stay if nothing else has changed. */
export async function grantConsent(db: Database, userId: string, request: ShownRequest, now: number) {
  const { client, scopes } = request;
  const details = { scopes, userId };
  const entry: AuditEntry = { action: 'consent.grant', subjectId: client.clientId, details };
  await audited(db, entry, async (transaction) => {
    const before = await findConsent(transaction, userId, request);
    const keeps =
      before !== undefined && changesSince(before, request).every(({ kind }) => kind === 'scopes');
    const all = [...new Set([...(keeps ? parseScopeList(before.scope) : []), ...scopes])];
    const shown = {
      redirect_uri: request.redirectUri,
      receiver: request.receiver ?? null,
      scope: formatScopeList(all),
      client_name: client.name,
      look_hash: lookHash(request),
      is_verified: client.verifiedAt === null ? (0 as const) : (1 as const),
      granted_at: keeps ? before.granted_at : now,
    };
    await transaction
      .insertInto('consents')
      .values({ user_id: userId, client_id: client.clientId, place_hash: placeHash(request), ...shown })
      .onConflict((conflict) => conflict.columns(['user_id', 'client_id', 'place_hash']).doUpdateSet(shown))
      .execute();
    await tellIdToOwnerOf(transaction, { clientId: client.clientId, userId }, now);
    return true;
  });
}

function consentsTo(db: Database, userId: string, { client }: ShownRequest) {
  return db
    .selectFrom('consents')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', client.clientId);
}

async function findConsent(db: Database, userId: string, request: ShownRequest) {
  return await consentsTo(db, userId, request)
    .where('place_hash', '=', placeHash(request))
    .executeTakeFirst();
}

function changesSince(consent: Consent, request: ShownRequest): ConsentChange[] {
  const { client, receiver, redirectUri, scopes } = request;
  const allowed = new Set(parseScopeList(consent.scope));
  const isMoved = consent.receiver !== (receiver ?? null);
  return [
    ...(consent.client_name === client.name ? [] : [{ kind: 'name', was: consent.client_name } as const]),
    ...(consent.look_hash === lookHash(request) ? [] : [{ kind: 'look' } as const]),
    // A client that has been verified since is no reason to ask again.
    ...(consent.is_verified === 1 && client.verifiedAt === null ? [{ kind: 'verification' } as const] : []),
    ...(isMoved ? [{ kind: 'receiver' } as const] : []),
    ...(!isMoved && consent.redirect_uri !== redirectUri ? [{ kind: 'redirect-uri' } as const] : []),
    ...(scopes.every((scope) => allowed.has(scope)) ? [] : [{ kind: 'scopes' } as const]),
  ];
}

/** URLs can be too long for a PostgreSQL index. */
function placeHash({ redirectUri, receiver }: ShownRequest): string {
  return hashSecret(JSON.stringify([redirectUri, receiver ?? null]));
}

/** Logos can be `data:` URLs of many kilobytes. */
function lookHash({ client }: ShownRequest): string {
  return hashSecret(JSON.stringify([client.logoUrl, client.description]));
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
    .orderBy('consents.place_hash')
    .execute();
  // An app has a row for each address that the user has allowed. The first row has the time of the first consent.
  const apps = new Map<string, Omit<(typeof rows)[number], 'scope'> & { scopes: OAuthScope[] }>();
  for (const { scope, ...first } of rows) {
    const app = apps.get(first.clientId) ?? { ...first, scopes: [] };
    app.scopes = [...new Set([...app.scopes, ...parseScopeList(scope).filter(isOAuthScope)])].sort();
    apps.set(app.clientId, app);
  }
  return { rows: [...apps.values()], next: page.next };
}

export function countConsents(db: Database, userId: string): Promise<number> {
  return countRows(
    db.selectFrom(
      db.selectFrom('consents').select('client_id').distinct().where('user_id', '=', userId).as('apps'),
    ),
  );
}

export function countConsentingUsers(db: Database, clientId: string): Promise<number> {
  const users = db.selectFrom('consents').select('user_id').distinct().where('client_id', '=', clientId);
  return countRows(db.selectFrom(users.as('people')));
}

export async function hasConsentingUsers(db: Database, ownerId: string): Promise<boolean> {
  const consents = db
    .selectFrom('oauth_clients')
    .innerJoin('consents', 'consents.client_id', 'oauth_clients.client_id');
  return await hasRows(consents.where('oauth_clients.owner_id', '=', ownerId));
}

export async function revokeConsent(
  db: Database,
  { userId, clientId }: { userId: string; clientId: string },
  now: number,
) {
  await inTransaction(db, async (transaction) => {
    const entry: AuditEntry = { action: 'consent.revoke', subjectId: clientId, details: { userId } };
    await auditedWrite(transaction, entry, () =>
      transaction.deleteFrom('consents').where('user_id', '=', userId).where('client_id', '=', clientId),
    );
    await revokeClientAccess(transaction, { userId, clientId }, now);
  });
}
