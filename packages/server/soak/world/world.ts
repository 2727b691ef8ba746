import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedPostgresServer, startEmbeddedPostgres } from '../../test/database/embedded-postgres.ts';
import type { Random } from '../log/random.ts';
import type { SoakLog } from '../log/soak-log.ts';
import { type Books, readBooks } from './books.ts';
import { type Charge, type Processes, startProcesses } from './processes.ts';
import { type Receiver, startReceiver } from './receivers.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export type Engine = 'postgres' | 'sqlite';

/** Everything that a soak runs against. */
export interface World {
  readonly engine: Engine;
  /** URL of the database, for processes beside the servers. */
  readonly database: string;
  readonly processes: Processes;
  readonly receivers: readonly Receiver[];
  /** PostgreSQL, and the proxy through which the servers reach it. */
  readonly postgres: { server: EmbeddedPostgresServer; proxy: TcpProxy } | undefined;
  readonly log: SoakLog;
  /** Orders that the payment provider charged, oldest first. */
  readonly charges: readonly Charge[];
  /** Milliseconds by which the clocks of the servers are ahead of this machine's. */
  readonly aheadMs: number;
  /** Moves the clocks of all servers, and logs the change. */
  moveClock(ms: number): Promise<void>;
  /** Resolves with the newest sign-in code that was mailed to an address since a time. */
  codeFor(email: string, since: number): Promise<string | undefined>;
  /** Reads what is stored about payments. */
  readBooks(): Promise<Books>;
  close(): Promise<void>;
}

const STEADY = { fails: 0, drops: 0, isSlow: 0.05, hangs: 0 };
const FLAKY = { fails: 0.25, drops: 0.1, isSlow: 0.1, hangs: 0.004 };
/** Milliseconds to wait for a mail. The mail worker of a killed process keeps its lease for a minute. */
const MAIL_WAIT_MS = 5_000;

/** Starts the processes, by default two on PostgreSQL and one on SQLite, with two webhook endpoints. */
export async function startWorld(
  engine: Engine,
  log: SoakLog,
  { random, size = engine === 'postgres' ? 2 : 1 }: { random: Random; size?: number | undefined },
): Promise<World> {
  const closers: (() => unknown)[] = [];
  const receivers = await Promise.all(
    [
      { name: 'steady', faults: STEADY, random: random.fork(1) },
      { name: 'flaky', faults: FLAKY, random: random.fork(2) },
    ].map((options) => startReceiver(options, log.append)),
  );
  closers.push(() => Promise.all(receivers.map((receiver) => receiver.close())));
  const charges: Charge[] = [];
  const mails = new Map<string, { code: string; at: number }>();
  try {
    const { database, postgres } = await openDatabase(engine, closers);
    const processes = await startProcesses({
      size,
      database,
      webhooks: receivers.map(({ url, secret }) => ({ url, secret })),
      onCharge(charge) {
        if (!charges.some(({ orderId }) => orderId === charge.orderId)) charges.push(charge);
        log.append({ kind: 'charge', at: Date.now(), orderId: charge.orderId });
      },
      onMail: ({ to, code }) => mails.set(to, { code, at: Date.now() }),
    });
    closers.push(() => processes.close());
    let aheadMs = 0;
    return {
      engine,
      database,
      processes,
      receivers,
      postgres,
      log,
      charges,
      readBooks: () => readBooks(database),
      get aheadMs() {
        return aheadMs;
      },
      async moveClock(ms) {
        aheadMs += ms;
        const from = Date.now();
        await processes.setAhead(aheadMs);
        log.append({ kind: 'clock', from, until: Date.now(), aheadMs });
      },
      async codeFor(email, since) {
        for (const end = Date.now() + MAIL_WAIT_MS; Date.now() < end; await pause(20)) {
          const mail = mails.get(email);
          if (mail !== undefined && mail.at >= since) return mail.code;
        }
        return undefined;
      },
      close: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function openDatabase(engine: Engine, closers: (() => unknown)[]) {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-soak-'));
    closers.push(() => rmSync(folder, { recursive: true, force: true }));
    return { database: `sqlite:${join(folder, 'service.sqlite')}`, postgres: undefined };
  }
  // Default settings: with the faster ones of the tests, a crash may lose acknowledged writes.
  const server = await startEmbeddedPostgres();
  closers.push(() => server.stop());
  const url = new URL(server.url);
  const proxy = await startTcpProxy(Number(url.port));
  closers.push(() => proxy.close());
  url.port = String(proxy.port);
  return { database: url.href, postgres: { server, proxy } };
}

async function closeAll(closers: (() => unknown)[]): Promise<void> {
  for (const close of closers.reverse()) await close();
}
