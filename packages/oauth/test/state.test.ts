import { describe, expect, it } from 'vitest';
import { createState, decodeWidgetState, encodeWidgetState, OAuthClientError } from '../src/index.js';

const base64url = (text: string | Uint8Array) => Buffer.from(text).toString('base64url');

describe('createState', () => {
  it('returns 43 random characters that need no escaping', () => {
    expect(createState()).toMatch(/^[\w-]{43}$/);
    expect(createState()).not.toBe(createState());
  });
});

describe('encodeWidgetState', () => {
  it('returns base64url of a JSON object with the nonce and the origin', () => {
    const state = encodeWidgetState({ nonce: 'nonce', origin: 'https://shop.example' });
    expect(state).toBe(base64url('{"n":"nonce","o":"https://shop.example"}'));
  });

  it.each([
    'https://shop.example',
    'http://localhost:4401',
    'https://xn--bcher-kva.example',
    'http://[::1]:8080',
  ])('round-trips through decodeWidgetState for %s', (origin) => {
    const written = { nonce: createState(), origin };
    expect(decodeWidgetState(encodeWidgetState(written))).toEqual(written);
  });

  it('accepts any text as nonce', () => {
    const written = { nonce: 'ü→"\\?>', origin: 'https://shop.example' };
    expect(decodeWidgetState(encodeWidgetState(written))).toEqual(written);
  });

  it('accepts a state of 1024 characters and rejects a longer one', {
    tags: ['authorize.state-max-length'],
  }, () => {
    const fixed = JSON.stringify({ n: '', o: 'https://shop.example' }).length;
    const longest = { nonce: 'n'.repeat(768 - fixed), origin: 'https://shop.example' };
    expect(encodeWidgetState(longest)).toHaveLength(1024);
    expect(() => encodeWidgetState({ ...longest, nonce: `${longest.nonce}n` })).toThrow(OAuthClientError);
  });

  it.each(['null', 'file://', '', 'shop.example', 'https://shop.example/', 'https://shop.example/page'])(
    'rejects %j, which is not the origin of a web page',
    (origin) => {
      expect(() => encodeWidgetState({ nonce: 'nonce', origin })).toThrow(
        expect.objectContaining({ code: 'invalid_configuration' }),
      );
    },
  );
});

describe('decodeWidgetState', () => {
  it.each([
    ['empty', ''],
    ['not base64url', '%%%'],
    ['padded', `${base64url('{"n":"nonce","o":"https://a.example"}')}==`],
    ['standard base64', 'eyJu+/8'],
    ['impossible base64 length', 'a'],
    ['not JSON', base64url('hello')],
    ['null', base64url('null')],
    ['an array', base64url('["nonce","https://a.example"]')],
    ['no nonce', base64url('{"o":"https://a.example"}')],
    ['empty nonce', base64url('{"n":"","o":"https://a.example"}')],
    ['a nonce that is not a string', base64url('{"n":1,"o":"https://a.example"}')],
    ['no origin', base64url('{"n":"nonce"}')],
    ['a star as origin', base64url('{"n":"nonce","o":"*"}')],
    ['an opaque origin', base64url('{"n":"nonce","o":"null"}')],
    ['an origin with a path', base64url('{"n":"nonce","o":"https://a.example/"}')],
    ['an origin with credentials', base64url('{"n":"nonce","o":"https://user@a.example"}')],
    ['an origin in upper case', base64url('{"n":"nonce","o":"https://A.example"}')],
    ['an origin with its default port', base64url('{"n":"nonce","o":"https://a.example:443"}')],
    ['a javascript: URL as origin', base64url('{"n":"nonce","o":"javascript:alert(1)"}')],
    ['an origin that is not a URL', base64url('{"n":"nonce","o":"https://"}')],
    ['bytes that are not UTF-8', base64url(Uint8Array.of(0x22, 0xff, 0x22))],
  ])('returns undefined for a state that is or contains %s', (_name, state) => {
    expect(decodeWidgetState(state)).toBeUndefined();
  });

  it('returns undefined for a state of more than 1024 characters', {
    tags: ['authorize.state-max-length'],
  }, () => {
    const state = base64url(JSON.stringify({ n: 'n'.repeat(800), o: 'https://a.example' }));
    expect(state.length).toBeGreaterThan(1024);
    expect(decodeWidgetState(state)).toBeUndefined();
  });

  it('ignores unknown keys', { tags: ['versioning.ignore-unknown-fields'] }, () => {
    const state = base64url('{"n":"nonce","o":"https://a.example","c":"oac_of_the_attacker"}');
    expect(decodeWidgetState(state)).toEqual({ nonce: 'nonce', origin: 'https://a.example' });
  });
});
