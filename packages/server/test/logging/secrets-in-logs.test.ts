import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect, it } from 'vitest';
import { openJsonLogger } from '../../src/index.js';
import {
  allow,
  authorizePath,
  callResource,
  confidentialRedemption,
  confidentialRequest,
  postToken,
  publicCode,
  publicRedemption,
  refreshPublic,
  type TokenPairBody,
} from '../authorization-flow.js';
import { payFor } from '../checkout-world.js';
import { requestInviteLink } from '../messenger-world.js';
import {
  CODE_VERIFIER,
  CONFIDENTIAL,
  SECRET,
  type ServiceOptions,
  type ServiceUnderTest,
  startService,
} from '../service-under-test.js';

/** Starts a service and collects its log as pino writes it. */
async function serviceWithLog(
  options: ServiceOptions = {},
): Promise<{ service: ServiceUnderTest; lines: string[] }> {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) > 0 };
  return {
    service: await startService({ logger: await openJsonLogger({ destination }), ...options }),
    lines,
  };
}

type Line = Record<string, unknown>;
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line);

describe('log', () => {
  it('contains no secret after sign-in, consent, tokens, keys, and requests with misplaced secrets', async ({
    onTestFinished,
  }) => {
    const { service, lines } = await serviceWithLog();
    onTestFinished(() => service.server.close());
    const { operator, mailbox } = service.server;
    const owner = sandboxScenario.users.dana.id;
    const { key } = await operator.createApiKey({
      ownerId: owner,
      name: 'k',
      permissions: ['MEMBERSHIP_READ'],
    });
    const webhook = await operator.createWebhook({
      ownerId: owner,
      communityId: sandboxScenario.community.id,
      url: 'https://shop.example/hooks',
    });
    const secrets = new Set<string>([SECRET, CODE_VERIFIER, key, webhook.secret]);

    const browser = service.browser();
    const keepCookies = () => {
      for (const value of browser.cookies.values()) secrets.add(value);
    };
    await browser.post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
    keepCookies();
    const signInCode = mailbox?.latestFor('ada@example.com')?.code ?? '';
    secrets.add(signInCode);
    await browser.post('/sign-in/verify', { code: signInCode, continue: '/account' });
    keepCookies();
    await browser.get(authorizePath(confidentialRequest()));
    const code = await allow(browser, confidentialRequest());
    const publicOne = await publicCode(service);
    const pairs = [
      (await (await postToken(service, confidentialRedemption(code))).json()) as TokenPairBody,
      (await (await postToken(service, publicRedemption(service, publicOne))).json()) as TokenPairBody,
    ];
    pairs.push((await (await refreshPublic(service, pairs[1]?.refresh_token ?? '')).json()) as TokenPairBody);
    for (const { access_token, refresh_token } of pairs) {
      secrets.add(access_token).add(refresh_token);
      await callResource(service, access_token);
    }
    secrets.add(code).add(publicOne);
    const [first] = pairs;
    const revocation = { client_id: CONFIDENTIAL, client_secret: SECRET, token: first?.access_token ?? '' };
    await service.request('/oauth/revoke', { method: 'POST', body: new URLSearchParams(revocation) });
    await service.request('/membership/check-messenger/x/1', { headers: { authorization: `Bearer ${key}` } });
    await browser.post('/sign-out', {});
    const checkout = await payFor(service, {
      pricingPlanId: sandboxScenario.plans.monthly.id,
      externalId: 'order-7',
    });
    const invite = await requestInviteLink(service, 'order-7');
    const { link } = (invite.body as { data: { link: string } }).data;
    await browser.get(new URL(link).pathname);
    for (const path of [checkout, link]) secrets.add(path.split('/').at(-1) ?? '');

    // Secrets where a careless log would show them: paths, queries, broken bodies, unknown headers.
    for (const secret of secrets) {
      await service.request(`/pay/${secret}/done?token=${secret}`, {
        headers: { 'x-key': secret, referer: secret },
      });
      await service.request(`/widget/callback/${CONFIDENTIAL}?code=${secret}`);
      await service.request('/oauth/token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"client_secret": "${secret}"`,
      });
    }
    expect(secrets.size).toBeGreaterThanOrEqual(16);
    const log = lines.join('');
    expect(lines.length).toBeGreaterThan(60);
    for (const secret of secrets) expect(log.includes(secret), `the log holds ${secret}`).toBe(false);
  });

  it('contains no secret when the mail server rejects a message and quotes it', async ({
    onTestFinished,
  }) => {
    let sent = '';
    const mailer = {
      async send({ text }: { text: string }) {
        sent = text;
        throw Object.assign(new Error(`550 refused: ${text}`), { response: text, code: 'EENVELOPE' });
      },
    };
    const { service, lines } = await serviceWithLog({ mailer, sandbox: false, database: 'sqlite::memory:' });
    onTestFinished(() => service.server.close());
    await service.browser().post('/sign-in/code', { email: 'ada@example.com', continue: '/' });
    const code = /\d{6}/.exec(sent)?.[0] ?? 'none';
    const line = parsed(lines).find(({ msg }) => msg === 'sign-in mail not sent');
    expect(line).toMatchObject({
      level: 'error',
      error: { code: 'EENVELOPE' },
      requestId: expect.any(String),
    });
    expect(lines.join('')).not.toContain(code);
  });

  it('has a line per response: method, path without its query, status, duration, ids', async ({
    onTestFinished,
  }) => {
    const { service, lines } = await serviceWithLog();
    onTestFinished(() => service.server.close());
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { traceparent, 'x-request-id': 'chosen-by-the-caller' };
    const answer = await service.request('/oauth/userinfo?access_token=abc', { headers });
    const line = parsed(lines).find(({ path }) => path === '/oauth/userinfo');
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      pid: process.pid,
      msg: 'request answered',
      requestId: answer.headers.get('x-request-id'),
      traceId: '0af7651916cd43dd8448eb211c80319c',
      method: 'GET',
      path: '/oauth/userinfo',
      status: 401,
      durationMs: expect.any(Number),
      ip: '127.0.0.1',
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has one line for a path with line breaks, and truncates a very long path', async ({
    onTestFinished,
  }) => {
    const { service, lines } = await serviceWithLog();
    onTestFinished(() => service.server.close());
    await service.request('/a%0A%7B%22level%22:%22error%22%7D');
    await service.request(`/${'long/'.repeat(1_000)}`);
    const answered = parsed(lines).filter(({ msg }) => msg === 'request answered');
    expect(answered).toHaveLength(2);
    expect(answered[1]?.path).toHaveLength(256);
  });

  it('starts at the configured level', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) > 0 };
    const logger = await openJsonLogger({ level: 'warn', destination });
    logger.info({}, 'one');
    logger.warn({}, 'two');
    logger.error({}, 'three');
    expect(parsed(lines).map(({ msg }) => msg)).toEqual(['two', 'three']);
  });
});
