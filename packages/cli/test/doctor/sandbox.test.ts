import { PROVIDER_CHECKS } from '@latchkey/conformance/provider';
import { type RunningSandbox, sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { latchkey } from '../call.js';
import { doctor } from './doctor.js';

const { publicClient, community, users, apiKey } = sandboxScenario;
const SHOP = 'http://localhost:4401';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ logger: { info: () => {}, warn: () => {}, error: () => {} } });
  await seedSandbox(sandbox, { scriptTagShop: SHOP, backendShop: SHOP });
});
afterAll(() => sandbox.close());

it('finds nothing that differs at the reference server', async () => {
  const { code, ids, check, report } = await doctor(
    sandbox.baseUrl,
    [
      ...['--client-id', publicClient.clientId, '--origin', SHOP],
      ...['--redirect-uri', `${sandbox.baseUrl}/widget/callback/${publicClient.clientId}`],
      ...['--community', community.id, '--messenger-user-id', String(users.ada.messengerUserId)],
    ],
    { LATCHKEY_API_KEY: apiKey },
  );
  expect(ids('differs')).toEqual([]);
  expect(code).toBe(0);
  expect(report).toMatchObject({ environment: 'local', differs: false, service: sandbox.baseUrl });
  expect(check('check-messenger')?.meaning).toContain('has active membership');
  const isRule = (id: string) => id.includes('.');
  expect(ids('ok').filter((id) => !isRule(id))).toEqual([
    ...['reachable', 'base-url-final', 'unknown-path', 'service-names', 'clock', 'client-known'],
    ...['redirect-uri', 'token-cors', 'check-messenger'],
  ]);
  const probes = PROVIDER_CHECKS.filter(({ mode }) => mode === 'probe').map(({ id }) => id);
  expect(ids('ok').concat(ids('not_checked')).filter(isRule).toSorted()).toEqual(probes.toSorted());
  // Without an access token, only the account cannot be checked.
  expect(ids('not_checked').filter((id) => isRule(id) && !/^(?:userinfo|memberships)\./.test(id))).toEqual(
    [],
  );
  expect(check('authorize.unknown-client')).toEqual({
    id: 'authorize.unknown-client',
    section: 'Endpoints / GET /oauth/authorize',
    result: 'ok',
    meaning: 'An unknown `client_id` gives 400 JSON, not redirected.',
  });
});

it('names an unknown client, a redirect URI that is not registered, and a messenger with another name', async () => {
  const { code, ids } = await doctor(sandbox.baseUrl, [
    ...['--client-id', `oac_${'0'.repeat(24)}`, '--redirect-uri', 'https://shop.example/auth/callback'],
    ...['--service-names', '{"messenger":"telegram"}'],
  ]);
  expect(ids('differs')).toEqual(['service-names', 'client-known', 'redirect-uri']);
  expect(code).toBe(1);
});

it('names a key with another prefix, without a part of the key', async () => {
  const { check, text } = await doctor(
    sandbox.baseUrl,
    ['--service-names', '{"apiKeyPrefix":"acme_"}', '--community', community.id, '--messenger-user-id', '1'],
    { LATCHKEY_API_KEY: apiKey },
  );
  expect(check('api-key.prefix')).toMatchObject({
    result: 'differs',
    meaning: expect.stringContaining('acme_'),
  });
  expect(text).not.toContain(apiKey);
  expect(text).not.toContain('svc_');
});

it('prints the service, its environment and each result as text', async () => {
  const { code, out } = await latchkey(['doctor', '--service', sandbox.baseUrl]);
  expect(code).toBe(0);
  expect(out).toContain(`Service      ${sandbox.baseUrl}\nEnvironment  local`);
  expect(out).toMatch(/\nok {11}reachable\n {13}The service answers/);
  expect(out).toMatch(/\nok {11}\d+ rules of the specification\n {13}The service keeps them\.\n/);
  expect(out).toMatch(/\nnot checked {2}client-known\n {13}Needs --client-id\.\n/);
  expect(out).toMatch(/\n\d+ ok, 0 differ, \d+ not checked\.$/);
});
