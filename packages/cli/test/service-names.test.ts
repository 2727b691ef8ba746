import { startServer } from '@latchkey/server';
import { describe, expect, it } from 'vitest';
import { latchkey, temporaryFile } from './call.js';
import { startLatchkey } from './running-latchkey.js';

const ACME = '{"apiKeyPrefix":"acme_","headerPrefix":"X-Acme-","messenger":"telegram"}';
const JSON_EXAMPLE = '{"apiKeyPrefix": "acme_", "headerPrefix": "X-Acme-", "messenger": "telegram"}';
const EXAMPLE = `such as ${JSON_EXAMPLE}`;
const mailer = { send: async () => undefined };

const newKey = ['admin', 'create', 'key', '--name', 'Door', '--permission', 'MEMBERSHIP_READ', '--json'];

async function createUser(LATCHKEY_DATABASE: string): Promise<string> {
  const args = ['admin', 'create', 'user', '--email', 'owner@shop.example', '--json'];
  const { out } = await latchkey(args, { LATCHKEY_DATABASE });
  return (JSON.parse(out) as { id: string }).id;
}

describe('--service-names', () => {
  it.for([['serve'], ['sandbox'], ['migrate'], ['admin', 'create', 'key']])(
    'is in the help of %j, with its variable and an example',
    async (command) => {
      const { out } = await latchkey([...command, '--help']);
      expect(out).toMatch(/\n {2}--service-names <json> /);
      expect(out).toContain('LATCHKEY_SERVICE_NAMES');
      expect(out.replaceAll(/\s+/g, ' ')).toContain(JSON_EXAMPLE);
    },
  );

  it.for([
    ['{apiKeyPrefix:"acme_"}', `must be a JSON object ${EXAMPLE}`],
    ['"telegram"', `must be a JSON object ${EXAMPLE}`],
    ['null', `must be a JSON object ${EXAMPLE}`],
    ['{"mesenger":"telegram"}', 'unknown key "mesenger". The keys are apiKeyPrefix, headerPrefix, messenger'],
    [
      '{"apiKeyPrefix":"acme"}',
      'apiKeyPrefix must be letters, digits and -, with _ at the end, such as acme_',
    ],
    [
      '{"headerPrefix":"Acme"}',
      'headerPrefix must be letters, digits and -, with - at the end, such as X-Acme-',
    ],
    ['{"messenger":7}', 'messenger must be text'],
  ] as const)('rejects %s, names the key and shows an example', async ([text, message]) => {
    for (const [args, env, source] of [
      [['migrate', '--service-names', text], {}, '--service-names'],
      [['sandbox'], { LATCHKEY_SERVICE_NAMES: text }, 'LATCHKEY_SERVICE_NAMES'],
    ] as const) {
      const { code, err } = await latchkey(args, { LATCHKEY_DATABASE: 'sqlite:./x.sqlite', ...env });
      expect(code).toBe(2);
      expect(err).toContain(`${source}: `);
      expect(err).toContain(message);
      expect(err).toContain(EXAMPLE);
    }
  });

  it('runs a sandbox under the names, and its guide shows them', async () => {
    const sandbox = startLatchkey(['sandbox', '--port', '0', '--service-names', ACME]);
    try {
      const [, key = ''] = await sandbox.waitFor(/LATCHKEY_API_KEY=(acme_sandbox\S+)/);
      expect(sandbox.err()).not.toMatch(/svc_|X-Svc-/i);
      const [, baseUrl = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/sandbox/.exec(sandbox.err()) ?? [];
      const path = '/membership/check-telegram/5eed0000-0000-4000-8000-0000000000c0/1001';
      const checked = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
      expect(await checked.json()).toMatchObject({ data: { isActive: true } });
    } finally {
      sandbox.process.kill('SIGTERM');
      await sandbox.ended;
    }
  });

  it('of migrate records the names of a new database; admin commands use them and reject others', async ({
    onTestFinished,
  }) => {
    const LATCHKEY_DATABASE = `sqlite:${temporaryFile(onTestFinished)}`;
    const migrated = await latchkey(['migrate', '--service-names', ACME], { LATCHKEY_DATABASE });
    expect(migrated).toMatchObject({ code: 0, out: expect.stringContaining(`Service names: ${ACME}`) });
    const ownerId = await createUser(LATCHKEY_DATABASE);
    const created = await latchkey([...newKey, '--owner-id', ownerId], { LATCHKEY_DATABASE });
    expect((JSON.parse(created.out) as { key: string }).key).toMatch(/^acme_/);
    const other = await latchkey([...newKey, '--owner-id', ownerId], {
      LATCHKEY_DATABASE,
      LATCHKEY_SERVICE_NAMES: '{"apiKeyPrefix":"other_"}',
    });
    expect(other.code).toBe(1);
    expect(other.err).toContain('the database has apiKeyPrefix');
  });

  it('of migrate rejects other names than those of the database, unless it may replace them', async ({
    onTestFinished,
  }) => {
    const LATCHKEY_DATABASE = `sqlite:${temporaryFile(onTestFinished)}`;
    const options = { database: LATCHKEY_DATABASE, mailer, port: 0 };
    await (await startServer(options)).close();
    const env = { LATCHKEY_DATABASE, LATCHKEY_SERVICE_NAMES: ACME };
    const rejected = await latchkey(['migrate'], env);
    expect(rejected.code).toBe(1);
    expect(rejected.err).toContain('latchkey migrate --replace-service-names');
    expect((await latchkey(['migrate', '--replace-service-names'], env)).code).toBe(0);
    await (await startServer({ ...options, serviceNames: JSON.parse(ACME) })).close();

    const without = await latchkey(['migrate', '--replace-service-names'], { LATCHKEY_DATABASE });
    expect(without.code).toBe(2);
    expect(without.err).toContain('--service-names');
  });
});
