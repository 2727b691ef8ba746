import type { PostgresLocation } from './postgres/postgres.js';

/** Engine and location of a database. */
export type DatabaseLocation =
  | {
      engine: 'sqlite';
      /** A file, or `:memory:`. */
      path: string;
    }
  | PostgresLocation;

/** Scheme of a URL with a host. In a text without `//`, a password can come before the first colon. */
const SCHEME = /^[a-z][a-z0-9+.-]{0,20}:(?=\/\/)/i;
/** By default, a PostgreSQL server accepts 100 connections from all processes together. */
const DEFAULT_CONNECTION_LIMIT = 10;
const DEFAULT_CONNECT_TIMEOUT_SECONDS = 5;

/**
 * Reads the option `database`: `sqlite::memory:`, `sqlite:` and the path of a file, or
 * `postgres://user:password@host:port/name`.
 *
 * @throws Error for any other text. The URL may contain a password, so the message repeats only the scheme.
 */
export function parseDatabaseUrl(text: string): DatabaseLocation {
  const [scheme = ''] = text.split(':');
  const shownScheme = SCHEME.exec(text)?.[0];
  if (scheme === 'sqlite' && text.length > 'sqlite:'.length) {
    return { engine: 'sqlite', path: text.slice('sqlite:'.length) };
  }
  if (scheme === 'postgres' || scheme === 'postgresql') {
    return parsePostgresUrl(text);
  }
  const seen = shownScheme === undefined ? 'is not a database URL' : `starts with "${shownScheme}"`;
  throw new Error(
    `Option "database" ${seen}. Use sqlite::memory:, sqlite:/path/to/file.sqlite or postgres://user:password@host/name.`,
  );
}

function parsePostgresUrl(text: string): PostgresLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isDecodable(url)) {
    throw new Error(
      'Option "database" is a postgres: URL that cannot be read. A password with characters such as @ / ? # % needs them percent-encoded.',
    );
  }
  if (url.pathname.length < 2) {
    throw new Error('Option "database" names no database: end the postgres: URL with a slash and its name.');
  }
  return {
    engine: 'postgres',
    url,
    connectionLimit: readCount(url, 'connection_limit') ?? DEFAULT_CONNECTION_LIMIT,
    connectTimeoutMs: 1000 * (readCount(url, 'connect_timeout') ?? DEFAULT_CONNECT_TIMEOUT_SECONDS),
  };
}

function readCount({ searchParams }: URL, name: string): number | undefined {
  const text = searchParams.get(name);
  if (text === null) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new Error(`Option "database" has a ${name} that is no whole number from 1 to 9999.`);
  }
  return Number(text);
}

/** True if each part can be percent-decoded. pg's own error would contain the whole URL. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    [username, password, pathname].map(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
}
