import { sandboxScenario } from '@latchkey/sandbox';
import { createManualClock } from '@latchkey/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

const DAY_MS = 24 * 3600_000;

let sandbox: ControlSandbox;
beforeEach(async () => {
  sandbox = await startControlSandbox({ clock: createManualClock(Date.parse('2026-06-12T14:05:00Z')) });
});
afterEach(() => sandbox.close());

describe('latchkey clock', () => {
  it('shows the time and the presets, and names the sandbox in the first line of standard error', async () => {
    const { code, out, err } = await sandbox.run('clock');
    expect(code).toBe(0);
    expect(err).toBe(`Sandbox ${sandbox.baseUrl}`);
    expect(out).toMatch(/^ {2}time of the service {2}\d{4}-\d\d-\d\dT/);
    expect(out).toMatch(/ahead by +0s\n/);
    expect(out).toMatch(/\nnext-renewal +- +-\n/);
    expect(out).toMatch(
      /\nnext-membership-end +\d{4}\S+Z +The membership of ada@example.com \(The Brew Guide\) ends\.\n/,
    );
  });

  it('advance moves the clock and prints what happened in between', async () => {
    const { code, out } = await sandbox.run('clock', 'advance', '31d');
    expect(code).toBe(0);
    expect(sandbox.clock.ahead()).toBe(31 * DAY_MS);
    expect(out).toMatch(/^Moved the clock from \S+Z to \S+Z\.\ntime +kind +event\n/);
    expect(out).toMatch(/membership-end +The membership of ada@example\.com \(The Brew Guide\) ends\.\n/);
    expect(out).toMatch(/event +The event membership\.updated is recorded\./);
  });

  it('advance moves by calendar months', async () => {
    await sandbox.run('clock', 'advance', '1mo');
    expect(sandbox.clock.ahead()).toBe(30 * DAY_MS);
  });

  it('membership moves the clock to the end of one membership', async () => {
    const id = sandboxScenario.memberships.adaProduct.id;
    const moved = await sandbox.json('clock', 'membership', id, 'end');
    expect(moved).toMatchObject({ serviceTime: expect.stringMatching(/^2026-07-12T14:05/) });
    const { code, err } = await sandbox.run('clock', 'membership', id, 'renewal');
    expect([code, err]).toEqual([1, expect.stringContaining('The membership has ended.')]);
  });

  it('to moves the clock to an instant, a date included', async () => {
    const { serviceTime } = sandbox.control.clock.read();
    const target = new Date(Date.parse(serviceTime) + 2 * DAY_MS).toISOString().slice(0, 10);
    const moved = await sandbox.json('clock', 'to', target);
    expect(moved).toMatchObject({ happened: [], total: 0 });
    expect(moved.serviceTime).toMatch(new RegExp(`^${target}T00:00:0`));
  });

  it('next moves the clock to an instant of the data', async () => {
    const { at } = (await sandbox.control.clock.presets()).find(
      ({ preset }) => preset === 'next-membership-end',
    ) ?? { at: null };
    const { happened } = await sandbox.json<{ happened: object[] }>('clock', 'next', 'next-membership-end');
    expect(happened).toContainEqual(expect.objectContaining({ at, kind: 'membership-end' }));
  });

  it('fails with 1 if the sandbox rejects the move, and with JSON if asked for', async () => {
    const nothing = await sandbox.run('clock', 'next', 'next-renewal');
    expect(nothing).toMatchObject({ code: 1, out: '' });
    expect(nothing.err).toContain('The data contain no next-renewal ahead.');
    const back = await sandbox.run('clock', 'to', '2020-01-01', '--json');
    expect(back.code).toBe(1);
    expect(JSON.parse(back.err.split('\n')[1] ?? '')).toEqual({
      error: {
        code: 'invalid_input',
        message: 'The clock moves forward only. Reset the sandbox to go back to the real time.',
        docs: 'https://github.com/latchkey/latchkey/blob/main/docs/troubleshooting.md#invalid_input',
      },
    });
  });

  it.for([
    [['advance'], '<duration> is required: '],
    [
      ['advance', '31x'],
      '<duration>: must be a whole number and a unit: 30s, 5m, 1h, 31d, 2w, 1mo; got "31x".',
    ],
    [['advance', '1d', '2d'], 'Unexpected argument "2d". See --help.'],
    [['to', 'tomorrow'], '<instant>: must be an ISO-8601 time'],
    [['next', 'renewal'], '<preset>: must be next-code-expiry, '],
    [['advnce', '31d'], 'Unknown command "advnce". Did you mean advance?'],
    [['advance', '1d', '--jsno'], 'Unknown flag --jsno. Did you mean --json?'],
  ] as const)('exits with 2 for %j, before any call', async ([args, text]) => {
    const { code, out, err } = await sandbox.run('clock', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(text);
    expect(sandbox.clock.ahead()).toBe(0);
  });

  it('prints text of the sandbox without terminal escapes', async () => {
    const { snapshots } = sandbox.control;
    await snapshots.save('now');
    const file = structuredClone(snapshots.export('now'));
    for (const drop of file.tables.drop_slots ?? []) drop.name = 'Gold\u001b[2J\u009b1m\u202e';
    snapshots.import('from-a-stranger', file);
    await snapshots.load('from-a-stranger');
    for (const args of [['clock'], ['clock', '--json'], ['clock', 'advance', '8d']]) {
      const { out } = await sandbox.run(...args);
      expect(out).toContain('Gold\\u001b[2J\\u009b1m\\u202e');
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });
});
