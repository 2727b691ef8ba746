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
import type { Browser } from '../browser.js';
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

/** Creates an API key and a webhook, and returns their secrets. */
async function operatorSecrets({ server: { operator } }: ServiceUnderTest) {
  const ownerId = sandboxScenario.users.dana.id;
  const { key } = await operator.createApiKey({ ownerId, name: 'k', permissions: ['MEMBERSHIP_READ'] });
  const webhook = await operator.createWebhook({
    ownerId,
    communityId: sandboxScenario.community.id,
    url: 'https://shop.example/hooks',
  });
  return { key, secrets: [key, webhook.secret] };
}

/** Signs in by an emailed code, and returns the browser with the code and every cookie on the way. */
async function signInByCode(service: ServiceUnderTest) {
  const browser = service.browser();
  await browser.post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
  const before = [...browser.cookies.values()];
  const code = service.server.mailbox?.latestFor('ada@example.com')?.code ?? '';
  await browser.post('/sign-in/verify', { code, continue: '/account' });
  return { browser, secrets: [...before, code, ...browser.cookies.values()] };
}

/** Redeems, refreshes, uses and revokes tokens, and returns the codes and the tokens. */
async function useTokens(service: ServiceUnderTest, browser: Browser): Promise<string[]> {
  await browser.get(authorizePath(confidentialRequest()));
  const code = await allow(browser, confidentialRequest());
  const publicOne = await publicCode(service);
  const pairs = [
    (await (await postToken(service, confidentialRedemption(code))).json()) as TokenPairBody,
    (await (await postToken(service, publicRedemption(service, publicOne))).json()) as TokenPairBody,
  ];
  pairs.push((await (await refreshPublic(service, pairs[1]?.refresh_token ?? '')).json()) as TokenPairBody);
  for (const { access_token } of pairs) await callResource(service, access_token);
  const [first] = pairs;
  const revocation = { client_id: CONFIDENTIAL, client_secret: SECRET, token: first?.access_token ?? '' };
  await service.request('/oauth/revoke', { method: 'POST', body: new URLSearchParams(revocation) });
  return [
    code,
    publicOne,
    ...pairs.flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]),
  ];
}

/** Pays a checkout and opens its invite link, and returns the secrets of both addresses. */
async function checkoutSecrets(service: ServiceUnderTest, browser: Browser): Promise<string[]> {
  const checkout = await payFor(service, {
    pricingPlanId: sandboxScenario.plans.monthly.id,
    externalId: 'order-7',
  });
  const invite = await requestInviteLink(service, 'order-7');
  const { link } = (invite.body as { data: { link: string } }).data;
  await browser.get(new URL(link).pathname);
  return [checkout, link].map((path) => path.split('/').at(-1) ?? '');
}

/** Sends a secret where a careless log would show it: paths, queries, broken bodies, unknown headers. */
async function sendMisplaced(service: ServiceUnderTest, secret: string): Promise<void> {
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

describe('log', () => {
  it('contains no secret', async ({ onTestFinished }) => {
    const { service, lines } = await serviceWithLog();
    onTestFinished(() => service.server.close());
    const { key, secrets: created } = await operatorSecrets(service);
    const { browser, secrets: signIn } = await signInByCode(service);
    const tokens = await useTokens(service, browser);
    await service.request('/membership/check-messenger/x/1', { headers: { authorization: `Bearer ${key}` } });
    await browser.post('/sign-out', {});
    const checkout = await checkoutSecrets(service, browser);
    const secrets = new Set([SECRET, CODE_VERIFIER, ...created, ...signIn, ...tokens, ...checkout]);
    for (const secret of secrets) await sendMisplaced(service, secret);
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
        throw Object.assign(new Error(`550 <Ada@example.com>: refused: ${text}`), {
          ...{ response: text, code: 'EENVELOPE' },
        });
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
    expect(lines.join('')).not.toMatch(/ada@example/i);
    expect(line?.error).toMatchObject({ message: expect.stringContaining('550 <[hidden]>: refused') });
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
      msg: 'Request completed',
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
    const answered = parsed(lines).filter(({ msg }) => msg === 'Request completed');
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
