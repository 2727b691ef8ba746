import { describe, expect, it } from 'vitest';
import { fillIn } from './area-forms.js';
import {
  allow,
  authorizePath,
  confidentialRedemption,
  confidentialRequest,
  postToken,
  type TokenPairBody,
} from './authorization-flow.js';
import { everythingStored } from './database/everything-stored.js';
import { parsePage, textOf } from './pages/page-document.js';
import { databaseUnderTest, SECRET, startService } from './service-under-test.js';

describe('secrets', () => {
  it('are neither in the database nor in the log', {
    tags: ['api-key.stored-as-hash'],
  }, async () => {
    const database = await databaseUnderTest();
    const service = await startService({ database });
    const secrets: string[] = [SECRET];

    const browser = service.browser();
    await browser.post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
    secrets.push(...browser.cookies.values());
    const signInCode = service.server.mailbox?.latestFor('ada@example.com')?.code ?? '';
    await browser.post('/sign-in/verify', { code: signInCode, continue: '/account' });
    secrets.push(...browser.cookies.values());
    await browser.get(authorizePath(confidentialRequest()));
    const code = await allow(browser, confidentialRequest());
    const pair = (await (await postToken(service, confidentialRedemption(code))).json()) as TokenPairBody;
    secrets.push(code, pair.access_token, pair.refresh_token);

    for (const [path, action, typed] of [
      ['/developer/api-keys/new', '/developer/api-keys', { name: 'Bot', permissions: 'MEMBERSHIP_READ' }],
      [
        '/developer/clients/new',
        '/developer/clients',
        { name: 'App', type: 'confidential', scopes: 'memberships.read' },
      ],
    ] as const) {
      const shown = parsePage(await (await fillIn(browser, { path, action }, typed)).text());
      secrets.push(textOf(shown, '.copy-secret .copy-value'));
    }

    expect(secrets.every((secret) => secret.length >= 43)).toBe(true);
    const running = await everythingStored(database);
    await service.server.close();
    const stored = Buffer.concat([running, await everythingStored(database)]);
    expect(stored.includes('ada@example.com')).toBe(true);
    for (const secret of secrets) {
      expect(stored.includes(secret)).toBe(false);
      expect(service.log.join('\n')).not.toContain(secret);
    }
    expect(service.log.join('\n')).not.toContain(`"${signInCode}"`);
  });
});
