import type { DatabaseSync } from 'node:sqlite';
import type { WebhookEventOf } from '@latchkey/express';

const POLL_MS = 200;
const MAX_ATTEMPTS = 10;

type MembershipEvent = WebhookEventOf<'membership.created' | 'membership.updated'>;

/** Opens a queue of events in a table, with one worker. */
export function openQueue(db: DatabaseSync) {
  const { insert, next, finish, postpone, count, upsert, listMembers } = openTables(db);

  /** Updates the list of members. Yours can send mail or call other services, for minutes if necessary. */
  async function handle({ createdAt, data }: MembershipEvent['body']): Promise<void> {
    const { user, membership } = data;
    // By the membership: a service can name users by other ids here than at sign-in.
    upsert.run(membership.id, user.email ?? null, createdAt, membership.isActive ? 1 : 0);
  }

  /** Runs one job if one is due. A crash between `handle` and `finish` runs it again. */
  async function workOne(): Promise<boolean> {
    const job = next.get(Date.now()) as { event_id: string; body: string; attempts: number } | undefined;
    if (job === undefined) return false;
    try {
      await handle(JSON.parse(job.body));
      finish.run(Date.now(), job.event_id);
    } catch (error) {
      // Retried after 1, 2, 4, … seconds.
      postpone.run(Date.now() + 1000 * 2 ** job.attempts, job.event_id);
      process.stderr.write(`Event ${job.event_id} failed: ${error}\n`);
    }
    return true;
  }

  return {
    add: ({ id, body }: MembershipEvent) => void insert.run(id, JSON.stringify(body), Date.now()),
    members: () => listMembers.all().map((row) => row.email),
    waiting: () => count.get()?.waiting,
    givenUp: () => count.get()?.given_up,
    /** Runs until the process ends. */
    work: async () => {
      while (true) {
        // The database can fail too, for example if the disk is full. The jobs stay in it, so the worker goes on later.
        const worked = await workOne().catch((error: unknown) => {
          process.stderr.write(`The queue is not readable: ${error}\n`);
          return false;
        });
        if (!worked) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  };
}

function openTables(db: DatabaseSync) {
  db.exec(`
    pragma journal_mode = wal;
    create table if not exists jobs (
      event_id text primary key, body text not null, attempts integer not null default 0,
      due_at integer not null, done_at integer
    );
    create table if not exists memberships (id text primary key, email text, reported_at text not null, is_active integer not null);
  `);

  // A conflict means that the event was delivered again.
  const insert = db.prepare(
    'insert into jobs (event_id, body, due_at) values (?, ?, ?) on conflict do nothing',
  );
  const next = db.prepare(
    `select event_id, body, attempts from jobs where done_at is null and attempts < ${MAX_ATTEMPTS} and due_at <= ?
     order by due_at limit 1`,
  );
  const finish = db.prepare('update jobs set done_at = ? where event_id = ?');
  const postpone = db.prepare('update jobs set attempts = attempts + 1, due_at = ? where event_id = ?');
  const count = db.prepare(`select
    count(*) filter (where attempts < ${MAX_ATTEMPTS}) as waiting, count(*) filter (where attempts >= ${MAX_ATTEMPTS}) as given_up
    from jobs where done_at is null`);
  // Events arrive in any order, so an older one changes nothing.
  const upsert = db.prepare(
    `insert into memberships (id, email, reported_at, is_active) values (?, ?, ?, ?)
     on conflict (id) do update set email = excluded.email, reported_at = excluded.reported_at, is_active = excluded.is_active
     where excluded.reported_at >= memberships.reported_at`,
  );
  const listMembers = db.prepare('select distinct email from memberships where is_active = 1 order by email');
  return { insert, next, finish, postpone, count, upsert, listMembers };
}
