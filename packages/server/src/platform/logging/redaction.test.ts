import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { fc, test as property } from '@fast-check/vitest';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../../scripts/fuzz-runs.mjs';
import { generateApiKey } from '../../features/api-keys/api-key.resource.js';
import { createClientSecret } from '../../features/clients/clients.js';
import { createSixDigits } from '../../features/sign-in/sign-in-codes.js';
import { createOpaqueSecret, createTimedToken } from '../secrets.js';
import { createRedactor, HIDDEN } from './redaction.js';

const { text: redactText, value: redact } = createRedactor(DEFAULT_SERVICE_NAMES.apiKeyPrefix);

describe('redaction of a log line', () => {
  it.for([
    ['an access token in a header', 'Authorization: Bearer abc.def_~+/=', 'Authorization: Bearer [hidden]'],
    ['Basic credentials', 'basic dXNlcjpwYXNz, next', 'basic [hidden], next'],
    [
      'a database URL',
      'connect postgres://svc:p4ss@db.example:5432/x failed',
      'connect postgres://[hidden]@db.example:5432/x failed',
    ],
    ['an SMTP URL', 'smtps://user%40x:pw@mail.example:465', 'smtps://[hidden]@mail.example:465'],
    ['a query', '/cb?state=s&code=abc&x=1', '/cb?state=s&code=[hidden]&x=1'],
    ['a form', 'client_id=oac_1&client_secret=abc', 'client_id=oac_1&client_secret=[hidden]'],
    ['quoted JSON', '{"refresh_token": "abc", "a": 1}', '{"refresh_token": "[hidden]", "a": 1}'],
    ['escaped JSON', '{\\"code_verifier\\":\\"abc\\"}', '{\\"code_verifier\\":\\"[hidden]\\"}'],
    [
      'a sign-in code in a sentence',
      'Your sign-in code is 012345, thanks',
      'Your sign-in code is [hidden], thanks',
    ],
  ] as const)('removes %s', ([, text, shown]) => {
    expect(redactText(text)).toBe(shown);
  });

  it.for([
    ['/oauth/client/oac_a1b2c3d4e5f60718293a4b5c'],
    ['/membership/check-messenger/5eed0000-0000-4000-8000-0000000000c0/1001'],
    ['0af7651916cd43dd8448eb211c80319c'],
    ['2026-06-12T14:05:00.123Z'],
    ['connect ECONNREFUSED 127.0.0.1:54321'],
    ['203.0.113.7'],
    ['at answer (/srv/app/dist/oauth/token.js:12:34)'],
  ])('keeps %s unchanged', ([text = '']) => {
    expect(redactText(text)).toBe(text);
  });

  const secrets = {
    'an API key of another prefix': () => generateApiKey('acme_').text,
    'an API key': () => generateApiKey('svc_').text,
    'a client secret': () => createClientSecret().text,
    'a token, code or session': () => createOpaqueSecret().text,
    'a token with a time': () => createTimedToken(Date.now()).text,
    'the hash of a token with a time': () => createTimedToken(Date.now()).hash,
    'a hash or webhook secret': () => randomBytes(32).toString('hex'),
    'a sign-in code': createSixDigits,
  };
  const around = fc.stringMatching(/^[ /?&"'=:,;()[\]{}<>\n]*$/);

  property.prop([fc.constantFrom(...Object.entries(secrets)), around, around], fuzzRuns(100))(
    'removes real secrets from any surrounding text',
    ([, make], before, after) => {
      const secret = make();
      for (const text of [
        `${before}${secret}${after}`,
        `GET /pay/${secret}`,
        JSON.stringify({ [before]: secret }),
      ]) {
        expect(redactText(text)).not.toContain(secret);
        expect(JSON.stringify(redact({ deep: [{ text }] }))).not.toContain(secret);
      }
    },
  );

  it.for([
    ['authorization'],
    ['Set-Cookie'],
    ['proxy-authorization'],
    ['clientSecret'],
    ['client_secret'],
    ['code'],
    ['codeVerifier'],
    ['refresh_token'],
    ['password'],
    ['apiKey'],
    ['X-Svc-Signature'],
    ['X-Acme-Signature'],
  ])('removes a field named %s, whatever its value', ([name = '']) => {
    for (const value of ['short', 7, ['a', 'b'], { inside: 'x' }]) {
      expect(redact({ a: { [name]: value } })).toEqual({ a: { [name]: HIDDEN } });
    }
  });

  const separated = (name: string) =>
    fc
      .array(fc.constantFrom('', '-', '_', '__'), { minLength: name.length, maxLength: name.length })
      .map((separators) => [...name].map((letter, index) => `${separators[index]}${letter}`).join(''));
  const fieldNames = fc.oneof(
    fc.string(),
    fc
      .constantFrom('refreshToken', 'XSvcSignature', 'APIKEY', 'text', 'keys', 'constructor')
      .chain(separated),
  );

  property.prop([fieldNames], fuzzRuns(200))(
    'names the fields that it hides, whatever separates words',
    (name) => {
      const { isSecretName, value } = createRedactor('svc_');
      expect(isSecretName(name)).toBe(value('E', name) === HIDDEN);
      expect(isSecretName(name)).toBe(isSecretName(name.toLowerCase().replaceAll(/[-_]/g, '')));
    },
  );

  it('hides a part of an API key by the prefix of the service, and by that of the spec', () => {
    const { text, value } = createRedactor('acme_');
    expect(text('key acme_abc and svc_abc')).toBe(`key acme_${HIDDEN} and svc_${HIDDEN}`);
    expect(value({ note: ['acme_abc'] })).toEqual({ note: [`acme_${HIDDEN}`] });
  });

  it('shows the codes of errors', () => {
    expect(redact({ code: 'ECONNREFUSED' })).toEqual({ code: 'ECONNREFUSED' });
    expect(redact({ code: '23505' })).toEqual({ code: '23505' });
    expect(redact({ code: '123456' })).toEqual({ code: HIDDEN });
  });

  it('shows errors with their causes, without secrets in them and without attached properties', () => {
    const key = generateApiKey('svc_').text;
    const cause = Object.assign(new Error(`no ${key}`), { code: 'EAUTH', command: `AUTH ${key}` });
    const shown = redact({ error: new Error(`sent ${key}`, { cause }) });
    expect(shown).toMatchObject({
      error: {
        name: 'Error',
        message: 'sent svc_[hidden]',
        cause: { message: 'no svc_[hidden]', code: 'EAUTH' },
      },
    });
    expect(JSON.stringify(shown)).not.toContain(key);
    expect(JSON.stringify(shown)).toContain('redaction.test.ts');
  });

  it('handles any value: cycles, bytes, functions, very long texts', () => {
    const circle: Record<string, unknown> = {
      bytes: randomBytes(32),
      call: () => 1,
      none: undefined,
      big: 1n,
    };
    circle.self = circle;
    const shown = JSON.stringify(redact(circle), (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(shown).toContain('[bytes]');
    expect(shown).toContain('[deeper]');
    const secret = createOpaqueSecret().text;
    const long = redactText(`${'x y '.repeat(1_995)}${secret}`.padEnd(50_000, ' z'));
    expect(long.length).toBeLessThanOrEqual(8_001);
    expect(long).not.toContain(secret.slice(0, 12));
  });

  it('keeps ids and numbers', () => {
    const facts = {
      requestId: randomUUID(),
      durationMs: 123_456,
      status: 200,
      port: randomInt(65_535),
      ok: true,
      none: null,
    };
    expect(redact(facts)).toEqual(facts);
  });
});
