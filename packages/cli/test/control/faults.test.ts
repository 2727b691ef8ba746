import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ControlSandbox, startControlSandbox } from './control-sandbox.js';

let sandbox: ControlSandbox;
beforeAll(async () => {
  sandbox = await startControlSandbox();
});
afterEach(() => sandbox.control.faults.clear());
afterAll(() => sandbox.close());

const userinfo = async () => (await fetch(`${sandbox.baseUrl}/oauth/userinfo`)).status;

describe('latchkey fault', () => {
  it('add changes the next calls of an endpoint, list counts them, clear removes it', async () => {
    const added = await sandbox.run('fault', 'add', 'userinfo', 'status', '--status', '503', '--times', '1');
    const [{ id = '' } = {}] = sandbox.control.faults.list();
    expect(added).toMatchObject({ code: 0, out: `Added ${id}: status 503 of userinfo.` });
    expect([await userinfo(), await userinfo()]).toEqual([503, 401]);
    const listed = await sandbox.run('fault', 'list');
    expect(listed.out).toMatch(/^id +endpoint +effect +caller +calls +changed +seen\n/);
    expect(listed.out).toMatch(new RegExp(`\\n${id} +userinfo +status 503 +all +next 1 +1 +\\d$`));
    expect(await sandbox.run('fault', 'clear', id)).toMatchObject({
      code: 0,
      out: `Removed ${id}.`,
    });
    expect((await sandbox.run('fault', 'list')).out).toBe('No faults.');
  });

  it.for([
    [['all', 'latency', '--ms', '20'], { effect: { kind: 'latency', ms: 20 }, seed: 1 }],
    [['token', 'drip', '--ms', '50'], { effect: { kind: 'drip', ms: 50 }, endpoint: 'token' }],
    [['userinfo', 'reset'], { effect: { kind: 'reset' }, endpoint: 'userinfo' }],
    [['provisionExternal', 'answer-lost'], { effect: { kind: 'answer-lost' } }],
    [
      ['userinfo', 'malformed', '--rate', '0.5', '--seed', '7', '--client', 'Shop'],
      { effect: { kind: 'malformed' }, rate: 0.5, seed: 7, client: 'Shop' },
    ],
    [
      ['deliveries', 'duplicate', '--event', 'membership.created', '--times', '1'],
      { effect: { kind: 'duplicate' }, event: 'membership.created', times: 1 },
    ],
    [['deliveries', 'delay', '--ms', '3600000'], { effect: { kind: 'delay', ms: 3600_000 } }],
    [['deliveries', 'reorder'], { effect: { kind: 'reorder' } }],
    [['deliveries', 'drop', '--rate', '0.5'], { effect: { kind: 'drop' }, rate: 0.5 }],
    [['deliveries', 'wrong-signature'], { effect: { kind: 'wrong-signature' } }],
  ] as const)('add accepts %j', async ([args, fault]) => {
    expect(await sandbox.json('fault', 'add', ...args)).toMatchObject(fault);
    expect(sandbox.control.faults.list()).toMatchObject([fault]);
  });

  it('clear removes all faults', async () => {
    sandbox.control.faults.add({ effect: { kind: 'reset' } });
    sandbox.control.faults.add({ effect: { kind: 'malformed' } });
    expect(await sandbox.json('fault', 'clear')).toEqual({ cleared: 'all' });
    expect(sandbox.control.faults.list()).toEqual([]);
    const unknown = await sandbox.run('fault', 'clear', 'fault_0');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('There is no fault with the id "fault_0".');
  });

  it('list prints text of callers without terminal escapes', async () => {
    sandbox.control.faults.add({
      effect: { kind: 'reset' },
      client: '\u001b[31mred\nfault_99\u200b\u{e0041}',
    });
    const { out } = await sandbox.run('fault', 'list');
    expect(out).toContain('\\u001b[31mred\\u000afault_99\\u200b\\udb40\\udc41');
    expect(out.split('\n')).toHaveLength(2);
  });

  it.for([
    [['userinfo'], '<kind> is required: '],
    [['usrinfo', 'reset'], '<endpoint>: must be all, '],
    [['userinfo', 'latency'], '--ms: is required for latency.'],
    [['userinfo', 'drop'], 'belong to deliveries, the other kinds to calls.'],
    [['deliveries', 'reset'], 'belong to deliveries, the other kinds to calls.'],
    [
      ['deliveries', 'drop', '--client', 'Shop'],
      '--client: drop changes webhook deliveries, which have no client. Received "Shop".',
    ],
    [['userinfo', 'latency', '--ms', '120001'], '--ms: must be at most 120000; got "120001".'],
    [['userinfo', 'reset', '--status', '500'], '--status: reset has none; got "500".'],
    [['userinfo', 'status'], '--status: is required for status.'],
    [['userinfo', 'reset', '--ms', '5'], '--ms: reset has none; got "5".'],
    [['userinfo', 'status', '--status', '200'], '--status: must be at least 400; got "200".'],
    [['userinfo', 'reset', '--rate', '0'], '--rate: must be above 0 and at most 1; got "0".'],
    [['userinfo', 'reset', '--seed', '3'], '--seed belongs to --rate.'],
  ] as const)('add exits with 2 for %j', async ([args, text]) => {
    const { code, err } = await sandbox.run('fault', 'add', ...args);
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(sandbox.control.faults.list()).toEqual([]);
  });

  it('needs a command', async () => {
    const { code, err } = await sandbox.run('fault');
    expect(code).toBe(2);
    expect(err).toContain('Missing command: choose one of those above.');
    expect((await sandbox.run('fault', 'ad')).err).toContain('Did you mean add?');
  });
});
