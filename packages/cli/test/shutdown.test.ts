import { describe, expect, it } from 'vitest';
import { listeningAt, type RunningLatchkey, startLatchkey } from './running-latchkey.js';
import { type SlowMailServer, startSlowMailServer } from './slow-mail-server.js';

type OnTestFinished = (end: () => void) => void;

interface SlowService {
  readonly latchkey: RunningLatchkey;
  readonly address: string;
  readonly mail: SlowMailServer;
  /** A request that is answered when the mail server is released. */
  slowRequest(): Promise<Response>;
}

async function startSlowService(
  onTestFinished: OnTestFinished,
  args: readonly string[] = [],
): Promise<SlowService> {
  const mail = await startSlowMailServer();
  const latchkey = startLatchkey(
    ['serve', '--port', '0', '--database', 'sqlite::memory:', '--smtp-url', mail.url, ...args],
    // Something that goes wrong in the process when the test says so.
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

const refusal = (address: string) =>
  fetch(address).then(
    () => 'answered',
    (error: Error) => (error.cause as { code?: string }).code,
  );

describe('a process that is told to end', () => {
  it.for([['SIGTERM'], ['SIGINT']] as const)(
    'by %s answers the request that runs, takes no new one, and exits with 0',
    async ([signal], { onTestFinished }) => {
      const { latchkey, address, mail, slowRequest } = await startSlowService(onTestFinished);
      const slow = slowRequest();
      await mail.arrived;
      latchkey.process.kill(signal);
      await expect.poll(() => refusal(address), { timeout: 20_000 }).toBe('ECONNREFUSED');
      mail.release();
      expect((await slow).status).toBe(303);
      expect(await latchkey.ended).toBe(0);
    },
  );

  it('says so at /readyz first, for as long as it was told to, and answers all the while', async ({
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

  it('cuts off what takes longer than the grace', async ({ onTestFinished }) => {
    const { latchkey, mail, slowRequest } = await startSlowService(onTestFinished, [
      '--shutdown-grace',
      '100ms',
    ]);
    const slow = expect(slowRequest()).rejects.toThrow();
    await mail.arrived;
    latchkey.process.kill('SIGTERM');
    await slow;
    expect(await latchkey.ended).toBe(0);
    expect(latchkey.out()).toContain('"cutOff":1');
  });

  it('ends at once when it is told a second time', async ({ onTestFinished }) => {
    const { latchkey, address, mail, slowRequest } = await startSlowService(onTestFinished, [
      '--shutdown-grace',
      '10m',
    ]);
    const slow = expect(slowRequest()).rejects.toThrow();
    await mail.arrived;
    latchkey.process.kill('SIGTERM');
    await expect.poll(() => refusal(address), { timeout: 20_000 }).toBe('ECONNREFUSED');
    latchkey.process.kill('SIGTERM');
    expect(await latchkey.ended).toBe(1);
    await slow;
  });

  it('by a failure that nobody caught logs it, answers what runs, and exits with 1', async ({
    onTestFinished,
  }) => {
    const { latchkey, address, mail, slowRequest } = await startSlowService(onTestFinished);
    const slow = slowRequest();
    await mail.arrived;
    latchkey.process.kill('SIGUSR2');
    await expect.poll(() => refusal(address), { timeout: 20_000 }).toBe('ECONNREFUSED');
    mail.release();
    expect((await slow).status).toBe(303);
    expect(await latchkey.ended).toBe(1);
    const line =
      latchkey
        .out()
        .split('\n')
        .find((each) => each.includes('nobody caught')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 'error', error: { message: 'out of the blue' } });
  });
});
