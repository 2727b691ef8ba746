/** A database as people read it: the file, or host and name. Without user, password and options. */
export function databaseText(url: string): string {
  if (url.startsWith('sqlite:')) return `SQLite ${url.slice('sqlite:'.length)}`;
  const { host, pathname } = new URL(url);
  return `PostgreSQL ${host}${pathname}`;
}
