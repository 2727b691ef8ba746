import { describe, expect, it } from 'vitest';
import { listeningAt, type RunningLatchkey, startLatchkey } from './running-latchkey.js';
import { type SlowMailServer, startSlowMailServer } from './slow-mail-server.js';

type OnTestFinished = (end: () => void) => void;

interface SlowService {
  readonly latchkey: RunningLatchkey;
  readonly address: string;
  readonly mail: SlowMailServer;
  /** Sends a request that completes after the mail server's release. */
  slowRequest(): Promise<Response>;
}

async function startSlowService(
  onTestFinished: OnTestFinished,
  args: readonly string[] = [],
): Promise<SlowService> {
  const mail = await startSlowMailServer();
  const latchkey = startLatchkey(
    ['serve', '--port', '0', '--database', 'sqlite::memory:', '--smtp-url', mail.url, ...args],
    // SIGUSR2 throws an error outside of any request.
    {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent("process.on('SIGUSR2',()=>{throw new Error('out of the blue')})")}`,
    },
  );
  onTestFinished(() => {
    latchkey.process.kill('SIGKILL');
    mail.close();
  });
  const address = await listeningAt(latchkey);
  return {
    latchkey,
    address,
    mail,
    slowRequest: () =>
      fetch(`${address}/sign-in/code`, {
        method: 'POST',
        headers: { origin: address },
        body: new URLSearchParams({ email: 'ada@example.com', continue: '/account' }),
        redirect: 'manual',
      }),
  };
}

const connectionError = (address: string) =>
  fetch(address).then(
    () => 'answered',
    (error: Error) => (error.cause as { code?: string }).code,
  );

describe('graceful shutdown', () => {
  it.for([['SIGTERM'], ['SIGINT']] as const)(
    'by %s completes running requests, accepts no new ones, and exits with code 0',
    async ([signal], { onTestFinished }) => {
      const { latchkey, address, mail, slowRequest } = await startSlowService(onTestFinished);
      const slow = slowRequest();
      await mail.arrived;
      latchkey.process.kill(signal);
      await expect.poll(() => connectionError(address), { timeout: 20_000 }).toBe('ECONNREFUSED');
      mail.release();
      expect((await slow).status).toBe(303);
      expect(await latchkey.ended).toBe(0);
    },
  );

  it('returns 503 from /readyz for the drain delay and still answers requests', async ({
    onTestFinished,
  }) => {
    const { latchkey, address, mail } = await startSlowService(onTestFinished, ['--drain-delay', '10m']);
    mail.release();
    latchkey.process.kill('SIGTERM');
    const ready = () => fetch(`${address}/readyz`).then((answer) => answer.status);
    await expect.poll(ready, { timeout: 20_000 }).toBe(503);
    const during = await fetch(`${address}/sign-in`);
    expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
    latchkey.process.kill('SIGTERM');
    expect(await latchkey.ended).toBe(1);
  });

  it('cuts off requests that take longer than the grace period', async ({ onTestFinished }) => {
    const { latchkey, mail, slowRequest } = await startSlowService(onTestFinished, [
      '--shutdown-grace',
      '100ms',
    ]);
    const slow = expect(slowRequest()).rejects.toThrow();
    await mail.arrived;
    latchkey.process.kill('SIGTERM');
    await slow;
    expect(await latchkey.ended).toBe(0);
    expect(latchkey.out()).toContain('"aborted":1');
  });

  it('ends immediately after a second signal', async ({ onTestFinished }) => {
    const { latchkey, address, mail, slowRequest } = await startSlowService(onTestFinished, [
      '--shutdown-grace',
      '10m',
    ]);
    const slow = expect(slowRequest()).rejects.toThrow();
    await mail.arrived;
    latchkey.process.kill('SIGTERM');
    await expect.poll(() => connectionError(address), { timeout: 20_000 }).toBe('ECONNREFUSED');
    latchkey.process.kill('SIGTERM');
    expect(await latchkey.ended).toBe(1);
    await slow;
  });

  it('after an uncaught exception logs it, completes running requests, and exits with code 1', async ({
    onTestFinished,
  }) => {
    const { latchkey, address, mail, slowRequest } = await startSlowService(onTestFinished);
    const slow = slowRequest();
    await mail.arrived;
    latchkey.process.kill('SIGUSR2');
    await expect.poll(() => connectionError(address), { timeout: 20_000 }).toBe('ECONNREFUSED');
    mail.release();
    expect((await slow).status).toBe(303);
    expect(await latchkey.ended).toBe(1);
    const line =
      latchkey
        .out()
        .split('\n')
        .find((each) => each.includes('uncaught exception')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 'error', error: { message: 'out of the blue' } });
  });
});
