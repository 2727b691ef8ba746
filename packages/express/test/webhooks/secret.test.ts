import { sandboxScenario } from '@latchkey/sandbox';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fuzzRuns } from '../../../../scripts/fuzz-runs.mjs';
import { latchkey, memoryDirectory } from '../../src/index.js';
import {
  LatchkeyOptionsError,
  verifyWebhook,
  type WebhookOptions,
  webhooks,
} from '../../src/webhooks/index.js';
import { OLD_SECRET, SECRET } from './endpoint.js';

const COMMUNITY = sandboxScenario.community.id;
const recorder = memoryDirectory();

afterEach(() => void vi.unstubAllEnvs());

function problemsOf(options: WebhookOptions): string {
  try {
    webhooks({ other: () => {}, ...options });
  } catch (error) {
    if (error instanceof LatchkeyOptionsError) return error.message;
    throw error;
  }
  return '';
}

function authOf(serviceUrl: string) {
  return latchkey({
    serviceUrl,
    clientId: `oac_${'a1'.repeat(12)}`,
    appUrl: 'http://localhost:4402',
    cookieSecret: 'c'.repeat(40),
    checkClientAtStart: false,
  });
}

describe('a signing secret', () => {
  it.each([
    ['64 hex characters', SECRET],
    ['64 hex characters in capitals', SECRET.toUpperCase()],
  ])('is %s', { tags: ['webhook.secret-format'] }, (_what, secret) => {
    expect(problemsOf({ secret })).toBe('');
  });

  it.each([
    ['missing', undefined, 'secret: is required'],
    ['empty', '', 'secret: is required'],
    ['with a line break at its end', `${SECRET}\n`, 'white space'],
    ['with a space before it', ` ${SECRET}`, 'white space'],
    ['in double quotes', `"${SECRET}"`, 'quotation marks'],
    ['in single quotes', `'${SECRET}'`, 'quotation marks'],
    ['with a prefix of another service', `whsec_${SECRET}`, 'begins with "whsec_"'],
    ['with the name of its variable', `SECRET=${SECRET}`, 'begins with "SECRET="'],
    ['with 0x', `0x${SECRET}`, 'begins with "0x"'],
    ['with the algorithm', `sha256=${SECRET}`, 'begins with "sha256="'],
    ['an API key', `svc_${'a'.repeat(43)}`, 'is an API key'],
    ['a client secret', `ocs_${'a'.repeat(48)}`, 'is a client secret'],
    ['a client id', `oac_${'a'.repeat(24)}`, 'is a client id'],
    ['too short', SECRET.slice(1), 'has 63 characters, not 64'],
    ['written in base64', Buffer.from(SECRET, 'hex').toString('base64'), 'has 44 characters, not 64'],
    ['with a letter that is not hex', `${SECRET.slice(0, 9)}o${SECRET.slice(10)}`, 'not hex at position 10'],
  ])('%s is rejected with the fix', (_what, secret, message) => {
    expect(problemsOf({ secret })).toContain(message);
  });

  it('is never repeated in an error', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, maxLength: 80 }),
        fc.constantFrom('', '"', ' ', 'whsec_'),
        (text, edge) => {
          const secret = `${edge}${text}${SECRET.slice(20)}`;
          const problems = problemsOf({ secret });
          expect(problems).not.toContain(SECRET.slice(20));
        },
      ),
      fuzzRuns(100),
    );
  });
});

describe('webhooks()', () => {
  it('accepts one secret or a list, not both, and no empty list', () => {
    expect(problemsOf({ secrets: [SECRET, OLD_SECRET] })).toBe('');
    expect(problemsOf({ secret: SECRET, secrets: [OLD_SECRET] })).toContain('Remove one of them');
    expect(problemsOf({ secrets: [] })).toContain('secrets: is an empty list');
    expect(problemsOf({ secrets: [SECRET, 'x'] })).toContain('secrets.1: has 1 characters');
  });

  it('says what is required if there are no options', () => {
    const auth = authOf('http://127.0.0.1:4400');
    for (const call of [webhooks, auth.webhooks]) {
      expect(() => Reflect.apply(call, undefined, [])).toThrow('secret: is required');
      expect(() => Reflect.apply(call, undefined, [null])).toThrow('secret: is required');
    }
  });

  it('reports an unknown event type and an unknown option', () => {
    const on = { 'membership.deleted': () => {} } as WebhookOptions['on'];
    expect(problemsOf({ secret: SECRET, on })).toContain('on.membership.deleted: is not a known event type');
    const misspelt = { secret: SECRET, handlers: {} } as WebhookOptions;
    expect(problemsOf(misspelt)).toContain('handlers: is not an option');
  });

  it.each([
    [{ timeoutMs: 10_000 }, 'timeoutMs: must be below 10000'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs: must be a number above 0'],
    [{ leaseSeconds: 5 }, 'leaseSeconds: must be longer than timeoutMs'],
    [{ keepSeconds: 59 }, 'keepSeconds: must be at least leaseSeconds'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes: must be a number above 0'],
    [{ store: {} as never }, "store: must be 'memory' or have the methods"],
    [{ store: null as never }, "store: must be 'memory' or have the methods"],
    [{ on: null as never }, 'on: must be an object; got null'],
    [{ clock: {} as never }, 'clock: must have a method now()'],
    [{ logger: {} as never }, 'logger: must have the methods warn and error'],
  ] satisfies [Partial<WebhookOptions>, string][])('rejects %o', (options, message) => {
    expect(problemsOf({ secret: SECRET, ...options })).toContain(message);
  });

  it('reports times that do not fit next to another invalid option', () => {
    const options = { secret: SECRET, maxBodyBytes: 0, leaseSeconds: 5 };
    expect(problemsOf(options)).toContain('leaseSeconds: must be longer than timeoutMs');
  });

  it('accepts a class with the methods, such as Date', () => {
    expect(problemsOf({ secret: SECRET, clock: Date })).toBe('');
  });

  it('keeps events in memory during development, and in production only on request', () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      expect(problemsOf({ secret: SECRET })).toContain(
        'store: is required by handlers if NODE_ENV is production',
      );
      expect(problemsOf({ secret: SECRET, store: 'memory' })).toBe('');
    } finally {
      process.env.NODE_ENV = before;
    }
    expect(problemsOf({ secret: SECRET })).toBe('');
  });

  it('needs no store in production if it only records memberships', () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect(() => webhooks({ communities: { [COMMUNITY]: SECRET }, directory: recorder })).not.toThrow();
  });
});

describe('a secret that the sandbox publishes', () => {
  const { secret } = sandboxScenario.webhooks.community;
  const message = 'is published with the sandbox, so anyone could sign events with it';

  it('is accepted during development', () => {
    expect(problemsOf({ secret })).toBe('');
    const auth = authOf('http://127.0.0.1:4400');
    expect(() => auth.webhooks({ communities: { [COMMUNITY]: secret } })).not.toThrow();
  });

  it('is rejected in production', () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect(problemsOf({ secret, store: 'memory' })).toContain(`secret: ${message}`);
    const communities = { [COMMUNITY]: [SECRET, secret] };
    expect(problemsOf({ communities, store: 'memory' })).toContain(`communities.${COMMUNITY}.1: ${message}`);
    expect(problemsOf({ products: { [COMMUNITY]: secret }, store: 'memory' })).toContain(message);
    expect(() => verifyWebhook('{}', {}, secret)).toThrow(message);
  });

  it('is rejected if the service is on another machine', () => {
    const auth = authOf('https://service.example');
    expect(() => auth.webhooks({ communities: { [COMMUNITY]: secret } })).toThrow(message);
    expect(() => auth.webhooks({ communities: { [COMMUNITY]: SECRET } })).not.toThrow();
  });
});
