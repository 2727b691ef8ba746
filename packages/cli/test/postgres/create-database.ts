import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Registers the function that removes what a test created. */
export type OnFinished = (end: () => void | Promise<void>) => void;

/** Runs work on a connection to a database. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates an empty database, and returns its URL. */
export async function createDatabase(onTestFinished: OnFinished): Promise<string> {
  const postgres = inject('postgres');
  if (postgres === undefined) throw new Error('This project has no PostgreSQL server.');
  const name = `${postgres.prefix}_cli_${randomBytes(4).toString('hex')}`;
  await onDatabase(postgres.url, (client) => client.query(`create database ${name}`));
  onTestFinished(async () => {
    await onDatabase(postgres.url, (client) => client.query(`drop database ${name} with (force)`));
  });
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}
