import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allow,
  authorizePath,
  confidentialRedemption,
  confidentialRequest,
  postToken,
  type TokenPairBody,
} from './authorization-flow.js';
import { SECRET, startService } from './service-under-test.js';

describe('secrets', () => {
  it('are neither in the database’s files nor in the log: session, sign-in code, code, tokens, client secret', async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const service = await startService({ database: `sqlite:${join(folder, 'service.sqlite')}` });
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

    expect(secrets.every((secret) => secret.length >= 43)).toBe(true);
    const files = () => readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    const running = Buffer.concat(files());
    await service.server.close();
    const stored = Buffer.concat([running, ...files()]);
    expect(stored.includes('ada@example.com')).toBe(true);
    for (const secret of secrets) {
      expect(stored.includes(secret)).toBe(false);
      expect(service.log.join('\n')).not.toContain(secret);
    }
    expect(service.log.join('\n')).not.toContain(`"${signInCode}"`);
  });
});
