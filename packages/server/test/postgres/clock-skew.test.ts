import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClockWatch, measureClockSkew } from '../../src/app/watch-clock.js';
import { type ServerOptions, startServer, systemClock } from '../../src/index.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { databaseUnderTest } from '../service-under-test.js';

/** Makes this machine's clock differ from that of the database server. */
function differBy(ms: number): void {
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + ms);
}

function recordingLogger() {
  const lines: string[] = [];
  const write = (_fields: object, message: string) => void lines.push(message);
  return { lines, logger: { info: write, warn: write, error: write } };
}

async function start(options: ServerOptions = {}) {
  const log = recordingLogger();
  const mailer = { send: async () => undefined };
  const database = await databaseUnderTest();
  const server = await startServer({ port: 0, database, mailer, logger: log.logger, ...options });
  onTestFinished(() => server.close());
  return log.lines;
}

describe('clock that differs from that of the database server', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.for([
    [90_000, 'ahead of'],
    [-90_000, 'behind'],
  ] as const)('rejects the start at %i ms, and names the difference', async ([ms, direction]) => {
    differBy(ms);
    await expect(start()).rejects.toThrow(
      new RegExp(`clock of this machine is (89|90)[.\\d]* seconds ${direction} that of the database server`),
    );
  });

  it('is logged as a warning at 5 seconds', async () => {
    differBy(5_000);
    expect(await start()).toContain('The clock of this machine differs from that of the database server');
  });

  it('is not logged while both agree', async () => {
    expect((await start()).filter((line) => line.includes('clock'))).toEqual([]);
  });

  it('does not matter to a server with a clock of the options', async () => {
    const far = Date.now() + 365 * 86_400_000;
    expect((await start({ clock: { now: () => far } })).filter((line) => line.includes('clock'))).toEqual([]);
  });

  it('is logged as an error when it grows while the server runs', async () => {
    const db = await openDatabase(await databaseUnderTest());
    onTestFinished(() => db.destroy());
    const { lines, logger } = recordingLogger();
    const watch = createClockWatch({ db, clock: systemClock, logger });
    const { signal } = new AbortController();
    await watch.runOnce(signal);
    expect(lines).toEqual([]);
    differBy(90_000);
    await watch.runOnce(signal);
    expect(lines.join()).toContain('seconds ahead of that of the database server');
  });

  it('is measured in milliseconds', async () => {
    const db = await openDatabase(await databaseUnderTest());
    onTestFinished(() => db.destroy());
    const skew = await measureClockSkew(db, { now: () => Date.now() + 7_000 });
    expect(skew).toBeGreaterThan(6_000);
    expect(skew).toBeLessThan(8_000);
  });
});
