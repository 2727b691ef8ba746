import { afterEach, describe, expect, it, vi } from 'vitest';
import { ASSUMPTIONS, createFakeService, fakeFetch } from '../../src/scripted-service-browser.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('the reading and the assumption', () => {
  it('are those of the options', () => {
    vi.stubEnv('LATCHKEY_READING', 'first');
    const { settings } = createFakeService({ reading: 'second', against: 'token-cors' });
    expect(settings).toEqual({ reading: 'second', against: 'token-cors' });
  });

  it('come from the environment otherwise', () => {
    vi.stubEnv('LATCHKEY_READING', 'second');
    vi.stubEnv('LATCHKEY_AGAINST', 'body-size');
    expect(createFakeService().settings).toEqual({ reading: 'second', against: 'body-size' });
  });

  it('come from the global object before the environment', () => {
    vi.stubEnv('LATCHKEY_READING', 'first');
    vi.stubGlobal('LATCHKEY_READING', 'second');
    vi.stubGlobal('LATCHKEY_AGAINST', 'token-cors');
    expect(createFakeService().settings).toEqual({ reading: 'second', against: 'token-cors' });
  });

  it('are the first one and none, also for empty variables', () => {
    vi.stubEnv('LATCHKEY_READING', '');
    vi.stubEnv('LATCHKEY_AGAINST', '');
    expect(createFakeService().settings).toEqual({ reading: 'first', against: undefined });
  });

  it.each(['LATCHKEY_READING', 'LATCHKEY_AGAINST'])('cannot be unknown: %s', (variable) => {
    vi.stubEnv(variable, 'third');
    expect(() => createFakeService()).toThrow(/got "third"/);
  });

  it('cannot be unknown: the options', () => {
    // @ts-expect-error The types allow known names only.
    expect(() => createFakeService({ reading: 'third' })).toThrow(/reading .*first, second; got "third"/);
    // @ts-expect-error The types allow known ids only.
    expect(() => createFakeService({ against: 'luck' })).toThrow(new RegExp(ASSUMPTIONS.join(', ')));
  });
});

it('answers under other names only', async () => {
  const serviceNames = { apiKeyPrefix: 'acme_', messenger: 'telegram' };
  const fetch = fakeFetch(createFakeService({ serviceNames }));
  const statusOf = async (path: string, key: string) =>
    (await fetch(`https://service.example${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await statusOf('/membership/check-telegram/c/7', 'acme_test')).toBe(200);
  expect(await statusOf('/membership/check-telegram/c/7', 'svc_test')).toBe(401);
  expect(await statusOf('/membership/check-messenger/c/7', 'acme_test')).toBe(404);
  expect(await statusOf('/membership/join-telegram-community-external/o', 'acme_test')).toBe(200);
});
