import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fillDatabase } from '../../bench/fill-database.mjs';
import { SCENARIOS } from '../../bench/scenarios.mjs';
import { migrateDatabase, startServer } from '../../src/index.js';

// The benchmark compares requests with bare Express that "runs the same statements". A statement that the service gains or loses would
// make the ratio a comparison of two different things.

const BARE = normalized(
  readFileSync(join(import.meta.dirname, '../../bench/serve-bare-express.mjs'), 'utf8').replaceAll(
    /\$\d+/g,
    '?',
  ),
);
/** Statements of workers, which run beside the requests. */
const OF_WORKERS =
  /(?:from|update) (?:mail_outbox|webhook_deliveries|subscriptions|sandbox_payments)|lapse_announced_at is null|plan_changes_at <= \?/;
const TRANSACTION = /^(?:begin immediate|commit|savepoint work|release work)$/;

describe('the bare server of the benchmark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-statements-'));
  const database = `sqlite:${join(folder, 'filled.sqlite')}`;
  const ran: string[] = [];
  let server: Awaited<ReturnType<typeof startServer>>;

  beforeAll(async () => {
    await migrateDatabase(database);
    await fillDatabase(database, { rows: 100 });
    server = await startServer({ port: 0, database, mailer: { send: async () => undefined } });
    for (const method of ['all', 'get', 'run', 'iterate'] as const) {
      const original: (...values: never[]) => unknown = StatementSync.prototype[method];
      vi.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...values) {
        ran.push(normalized(this.sourceSQL));
        return original.apply(this, values as unknown as never[]) as never;
      });
    }
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it.for(Object.keys(SCENARIOS))('runs each statement of %s', async (name) => {
    const [request] = SCENARIOS[name]?.makers(1, { rows: 100, chains: [] }) ?? [];
    ran.length = 0;
    request?.answered(await send(server.port, request.next()));
    const own = ran.filter((text) => !OF_WORKERS.test(text) && !TRANSACTION.test(text));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((text) => !BARE.includes(text))).toEqual([]);
  });
});

function normalized(statement: string): string {
  return statement.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim();
}

/** Sends the text of a request as the benchmark does. */
async function send(port: number, text: string): Promise<{ status: number; body: string }> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ')).filter(([key]) => key !== 'Host'));
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...{ method, headers },
    ...(body !== '' && { body }),
  } as RequestInit);
  return { status: answer.status, body: await answer.text() };
}
