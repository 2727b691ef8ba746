import { describe, expect, it } from 'vitest';
import { clearCookie, readCookie, setCookie } from '../src/http/cookies.js';

describe('reading a cookie', () => {
  it.each([
    ['alone', 'id=abc', 'abc'],
    ['first', 'id=abc; other=1', 'abc'],
    ['in the middle, without the space', 'a=1;id=abc;b=2', 'abc'],
    ['last, with white space around', 'a=1;   id=abc  ', 'abc'],
    ['with tabs around, and another white space', 'id=\t\u00a0abc \t; x=1', '\u00a0abc'],
    ['of white space only', 'id= \t ; x=1', ''],
    ['with an equals sign in the value', 'id=a=b==; x=1', 'a=b=='],
    ['empty', 'id=; x=1', ''],
    ['twice: the first counts', 'id=first; id=second', 'first'],
  ])('finds the value %s', (_name, header, value) => {
    expect(readCookie(header, 'id')).toBe(value);
  });

  it.each([
    ['there is no header', undefined],
    ['the header is empty', ''],
    ['its name is the end of another', 'my-id=abc'],
    ['its name is the beginning of another', 'id2=abc'],
    ['its name has other case', 'ID=abc'],
    ['it has no equals sign', 'id; x=1'],
    ['it stands in the value of another', 'x=id=abc'],
    ['there are only separators', ' ; ;; '],
  ])('returns undefined if %s', (_name, header) => {
    expect(readCookie(header, 'id')).toBeUndefined();
  });
});

describe('setting a cookie', () => {
  it('sets HttpOnly and SameSite=Lax, and Secure on request', () => {
    expect(setCookie({ name: 'id', path: '/', secure: true }, 'abc', 59.9)).toBe(
      'id=abc; Path=/; Max-Age=59; HttpOnly; SameSite=Lax; Secure',
    );
    expect(clearCookie({ name: 'id', path: '/auth', secure: false })).toBe(
      'id=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Lax',
    );
  });
});
