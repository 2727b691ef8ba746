import type { IncomingHttpHeaders } from 'node:http';
import { jsonOf } from '@latchkey/contract/constants';
import { type Database, hashSecret, hashToken } from '@latchkey/server/extension';

const BASE = 'http://sandbox';

/** Who sent a request: a sign-in client, or the owner of an API key. */
export type Caller =
  | { readonly kind: 'client'; readonly clientId: string; readonly userId: string | null }
  | {
      readonly kind: 'api-key';
      readonly keyName: string;
      readonly ownerId: string;
      readonly owner: string | null;
    };

export interface CallerHints {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** Body as text; empty without one. */
  readonly body: string;
}

/** Finds the caller of a request by client id, access token or API key. Returns undefined for unknown credentials. */
export async function callerOf(db: Database, hints: CallerHints): Promise<Caller | undefined> {
  const token = bearerOf(hints.headers);
  if (token !== undefined) return (await keyOwner(db, token)) ?? (await tokenHolder(db, token));
  const clientId = clientIdOf(hints);
  if (clientId === undefined) return undefined;
  const known = await db
    .selectFrom('oauth_clients')
    .select('client_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return known && { kind: 'client', clientId: known.client_id, userId: null };
}

export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Returns the client id in the body, the query, the path or the Basic header, as sent. */
export function clientIdOf({ headers, url, body }: CallerHints): string | undefined {
  // A path such as `//` isn't a URL.
  const { pathname, searchParams } = new URL(URL.canParse(url, BASE) ? url : '/', BASE);
  const inPath = /^\/oauth\/client\/([^/]+)$/.exec(pathname)?.[1];
  return parameterOf(body, 'client_id') ?? searchParams.get('client_id') ?? inPath ?? basicUser(headers);
}

export function parameterOf(body: string, name: string): string | undefined {
  if (!body.trimStart().startsWith('{')) return new URLSearchParams(body).get(name) ?? undefined;
  const { [name]: value } = Object(jsonOf(body)) as Record<string, unknown>;
  return typeof value === 'string' ? value : undefined;
}

function basicUser({ authorization }: IncomingHttpHeaders): string | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  return encoded && Buffer.from(encoded, 'base64').toString('utf8').split(':')[0];
}

async function keyOwner(db: Database, key: string): Promise<Caller | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .select(['api_keys.name', 'api_keys.owner_id', 'users.email'])
    .where('api_keys.key_hash', '=', hashSecret(key))
    .executeTakeFirst();
  return row && { kind: 'api-key', keyName: row.name, ownerId: row.owner_id, owner: row.email };
}

async function tokenHolder(db: Database, token: string): Promise<Caller | undefined> {
  const row = await db
    .selectFrom('token_pairs')
    .select(['client_id', 'user_id'])
    .where('access_token_hash', '=', hashToken(token))
    .executeTakeFirst();
  return row && { kind: 'client', clientId: row.client_id, userId: row.user_id };
}
