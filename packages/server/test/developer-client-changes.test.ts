import { describe, expect } from 'vitest';
import { fillIn, hiddenFields } from './area-forms.js';
import {
  callResource,
  confidentialTokens,
  errorOf,
  postToken,
  publicTokens,
  signedIn,
} from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { CONFIDENTIAL, it, PUBLIC, SECRET, type ServiceUnderTest } from './service-under-test.js';

const PAGE = { public: `/developer/clients/${PUBLIC}`, confidential: `/developer/clients/${CONFIDENTIAL}` };

/** Returns the token endpoint's error for these client credentials: `invalid_grant` if they are valid. */
async function proof(service: ServiceUnderTest, client_id: string, client_secret?: string) {
  const credentials = { client_id, ...(client_secret !== undefined && { client_secret }) };
  const body = { grant_type: 'refresh_token', refresh_token: 'none', ...credentials };
  return (await errorOf(await postToken(service, body))).error;
}

async function secretFrom(response: Response): Promise<string> {
  return textOf(parsePage(await response.text()), '.copy-secret .copy-value');
}

async function facts(browser: Browser, path: string): Promise<string> {
  return textOf(parsePage(await (await browser.get(path)).text()), '.facts');
}

describe("change of an app's type", () => {
  it('to confidential creates a secret, shown once, and keeps the tokens valid', {
    tags: ['credentials.client-type-changeable'],
  }, async ({ service }) => {
    const tokens = await publicTokens(service);
    const dana = await signedIn(service, 'dana@example.com');
    const path = `${PAGE.public}/type/confidential`;
    const asked = textOf(parsePage(await (await dana.get(path)).text()), '.notes');
    expect(asked).toContain('gets a secret');
    expect(asked).toContain('Existing access tokens stay valid');

    const changed = await fillIn(dana, { path }, {});
    expect(changed.status).toBe(200);
    const secret = await secretFrom(changed);
    expect(await proof(service, PUBLIC, secret)).toBe('invalid_grant');
    expect(await proof(service, PUBLIC)).toBe('invalid_client');
    expect((await callResource(service, tokens.access_token)).status).toBe(200);
    expect(await facts(dana, PAGE.public)).toContain('Confidential');
  });

  it('happens once: a reload keeps the secret that was shown', async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const path = `${PAGE.public}/type/confidential`;
    const fields = await hiddenFields(dana, path, path);
    const secret = await secretFrom(await dana.post(path, fields));
    const again = await dana.post(path, fields);
    expect(locationOf(again)).toBe(`${PAGE.public}?done=confidential`);
    expect(await proof(service, PUBLIC, secret)).toBe('invalid_grant');
    expect(locationOf(await dana.get(path))).toBe(PAGE.public);
  });

  it('to public removes the secret and keeps the tokens valid', {
    tags: ['credentials.client-type-changeable'],
  }, async ({ service }) => {
    const tokens = await confidentialTokens(service);
    const dana = await signedIn(service, 'dana@example.com');
    const path = `${PAGE.confidential}/type/public`;
    expect(textOf(parsePage(await (await dana.get(path)).text()), '.notes')).toContain(
      'Its secret is revoked',
    );
    const changed = await fillIn(dana, { path }, {});
    expect(locationOf(changed)).toBe(`${PAGE.confidential}?done=public`);
    expect(await proof(service, CONFIDENTIAL, SECRET)).toBe('invalid_client');
    expect(await proof(service, CONFIDENTIAL)).toBe('invalid_grant');
    expect((await callResource(service, tokens.access_token)).status).toBe(200);
    expect(locationOf(await dana.get(path))).toBe(PAGE.confidential);
  });
});

describe("replacement of an app's secret", () => {
  it('shows the new secret once and invalidates the old one at once', async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const path = `${PAGE.confidential}/secret`;
    expect(await proof(service, CONFIDENTIAL, SECRET)).toBe('invalid_grant');
    const replaced = await fillIn(dana, { path }, {});
    expect(replaced.headers.get('cache-control')).toBe('no-store');
    const secret = await secretFrom(replaced);
    expect(secret).toMatch(/^ocs_[0-9a-f]{48}$/);
    expect(await proof(service, CONFIDENTIAL, SECRET)).toBe('invalid_client');
    expect(await proof(service, CONFIDENTIAL, secret)).toBe('invalid_grant');
    expect(await (await dana.get(PAGE.confidential)).text()).not.toContain(secret);
    expect(service.log.join()).not.toContain(secret);
  });

  it('happens once per form: a reload keeps the secret that was shown', async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const path = `${PAGE.confidential}/secret`;
    const fields = await hiddenFields(dana, path, path);
    const answers = await Promise.all([dana.post(path, fields), dana.post(path, fields)]);
    const shown = answers.find(({ status }) => status === 200);
    const secret = shown === undefined ? '' : await secretFrom(shown);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 303]);
    expect((await dana.post(path, fields)).status).toBe(303);
    expect(await proof(service, CONFIDENTIAL, secret)).toBe('invalid_grant');
  });

  it('is not undone by an edit form that was opened before', async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const edit = await hiddenFields(dana, `${PAGE.confidential}/edit`, PAGE.confidential);
    const secret = await secretFrom(await fillIn(dana, { path: `${PAGE.confidential}/secret` }, {}));
    const typed = { name: 'Renamed', scopes: 'memberships.read', redirectUris: 'https://a.example/' };
    expect((await dana.post(PAGE.confidential, { ...edit, ...typed })).status).toBe(303);
    expect(await proof(service, CONFIDENTIAL, secret)).toBe('invalid_grant');
  });

  it('is possible for confidential apps only', async ({ service }) => {
    const dana = await signedIn(service, 'dana@example.com');
    const path = `${PAGE.public}/secret`;
    expect(locationOf(await dana.get(path))).toBe(PAGE.public);
    const { account = '' } = await hiddenFields(dana, `${PAGE.public}/edit`, PAGE.public);
    expect(locationOf(await dana.post(path, { account }))).toBe(PAGE.public);
    expect(await proof(service, PUBLIC)).toBe('invalid_grant');
  });
});
