import { describe, expect } from 'vitest';
import { formContainsNul, jsonContainsNul } from '../src/platform/http/request-input.js';
import { hiddenFields } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { CONFIDENTIAL, it, PUBLIC } from './service-under-test.js';

describe('character U+0000, which PostgreSQL rejects in text,', () => {
  it('in an address gets 400 in the shape of its surface', async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    for (const path of [
      '/developer/clients/%00',
      '/developer/api-keys/%00/revoke',
      '/developer/webhooks/%00',
      '/account/memberships/%00/cancel',
      '/seller/communities/%00',
      '/communities/%00',
      '/products/%00',
      '/widget/%00/latchkey.js',
      '/widget/callback/%00',
      '/sandbox/mailbox/%00',
    ]) {
      const response = await dana.get(path);
      expect(response.status, path).toBe(400);
      expect(response.headers.get('content-type'), path).toContain('text/html');
    }
    const identity = await service.request(`/oauth/client/${PUBLIC}%00`);
    expect(identity.status).toBe(400);
    expect(await identity.json()).toMatchObject({ success: false, errorCode: 'bad_request' });
    const authorize = await service.request('/oauth/authorize?client_id=%00');
    expect(authorize.status).toBe(400);
    expect(await authorize.json()).toMatchObject({ error: 'invalid_request' });
  });

  it("in a page's form gets 400", async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const { account = '' } = await hiddenFields(dana, '/account/profile', '/account/profile');
    for (const [path, fields] of [
      ['/account/apps/revoke', { clientId: '\0' }],
      ['/account/profile', { name: 'a\0b' }],
      ['/developer/clients', { name: 'x', type: 'public', description: 'a\0b' }],
      ['/sandbox/sign-in', { email: 'a\0b@example.com' }],
      ['/sign-in/code', { email: 'a\0b@example.com' }],
    ] as const) {
      expect((await dana.post(path, { account, ...fields })).status, path).toBe(400);
    }
  });

  it("is found in a page's form that is UTF-7", async ({ service }) => {
    for (const path of ['/oauth/consent', '/sign-in/code', '/sandbox/sign-in', '/account/profile']) {
      const response = await service.request(path, {
        method: 'POST',
        headers: {
          origin: service.baseUrl,
          'content-type': 'application/x-www-form-urlencoded; charset=utf-7',
          accept: 'text/html',
        },
        body: 'client_id=+AAA-&email=+AAA-&account=+AAA-',
      });
      expect(response.status, path).toBe(415);
      expect(response.headers.get('content-type'), path).toContain('text/html');
    }
  });

  it.for([
    ['application/x-www-form-urlencoded', 'grant_type=refresh_token&client_id=%00'],
    ['application/json', '{"grant_type":"refresh_token","client_id":"a\\u0000b"}'],
  ] as const)(
    'in a body of %s gets invalid_request at token and revoke',
    async ([type, body], { service }) => {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const headers = { 'content-type': type };
        const response = await service.request(path, { method: 'POST', headers, body });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: 'invalid_request' });
      }
    },
  );

  it.for(['utf-16', 'utf-16le'])(
    'is found in JSON that is %s: token and revoke accept UTF-8 only',
    async (charset, { service }) => {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const headers = { 'content-type': `application/json; charset=${charset}` };
        const json = JSON.stringify({ grant_type: 'refresh_token', client_id: 'a\0b', client_secret: 'x' });
        const body = Buffer.from(json, 'utf16le');
        const response = await service.request(path, { method: 'POST', headers, body });
        expect(response.status).toBe(415);
        expect(await response.json()).toMatchObject({ error: 'invalid_request' });
      }
    },
  );

  it('is distinguished from an escaped backslash before the same letters', async ({ service }) => {
    const body = JSON.stringify({
      grant_type: 'refresh_token',
      client_id: CONFIDENTIAL,
      client_secret: 'a\\u0000',
    });
    expect(jsonContainsNul(Buffer.from(body))).toBe(false);
    expect(jsonContainsNul(Buffer.from('{"a":"\\\\\\u0000"}'))).toBe(true);
    expect(formContainsNul(Buffer.from('a=%2500'))).toBe(false);
    const headers = { 'content-type': 'application/json' };
    const response = await service.request('/oauth/token', { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ error: 'invalid_client' });
  });
});
