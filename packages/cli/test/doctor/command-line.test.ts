import { expect, it } from 'vitest';
import { latchkey } from '../call.js';

const SERVICE = ['--service', 'https://service.example'];

it.each([
  ['--api-key', 'LATCHKEY_API_KEY'],
  ['--access-token', 'LATCHKEY_ACCESS_TOKEN'],
  ['--webhook-secret', 'LATCHKEY_WEBHOOK_SECRET'],
])('takes no secret as the argument %s', async (flag, variable) => {
  for (const args of [[flag, 'a-secret-value'], [`${flag}=a-secret-value`]]) {
    const { code, out, err } = await latchkey(['doctor', ...SERVICE, ...args]);
    expect(code).toBe(2);
    expect(err).toBe(
      `${flag} is not a flag, because other users of the machine can see arguments. Set ${variable}.`,
    );
    expect(out).toBe('');
  }
});

it('prints no part of an invalid secret', async () => {
  const { code, err } = await latchkey(['doctor', ...SERVICE], { LATCHKEY_API_KEY: 'secret text\n' });
  expect(code).toBe(2);
  expect(err).toContain('LATCHKEY_API_KEY: must be printable ASCII');
  expect(err).not.toContain('secret text');
});

it('has a help with examples and the variables of the secrets', async () => {
  const { out } = await latchkey(['doctor', '--help']);
  expect(out).toContain('latchkey doctor --service https://service.example --client-id');
  expect(out).toMatch(/Environment only.*\n +LATCHKEY_API_KEY +API key/);
  expect(out).not.toContain('--api-key');
});

it.each([
  [[], '--service (or LATCHKEY_SERVICE_URL) is required'],
  [[...SERVICE, '--backend', '/auth'], '--backend and --webhook are about a site'],
  [['--service', 'http://service.example'], 'must be an https URL'],
  [['--service', 'https://user:password@service.example'], 'without a password'],
  [[...SERVICE, '--service-names', 'telegram'], 'must be a JSON object'],
  [[...SERVICE, '--service-names', '{"messenger":"Tele gram"}'], 'messenger must be lower-case letters'],
  [[...SERVICE, '--service-names', '{"messengr":"telegram"}'], 'messengr'],
  [[...SERVICE, '--client-id', 'abc'], 'must be oac_ and 24 hex characters'],
  [[...SERVICE, '--origin', 'https://shop.example/page'], 'must be an origin'],
  [[...SERVICE, '--webhook-signature', 'abc'], 'belong together'],
  [[...SERVICE, '--webhook-body', '/no/such/file', '--webhook-signature', 'abc'], 'cannot be read (ENOENT)'],
])('rejects %j', async (args, error) => {
  const { code, err } = await latchkey(['doctor', ...args]);
  expect(code).toBe(2);
  expect(err).toContain(error);
  expect(err).not.toContain(':password@');
});
