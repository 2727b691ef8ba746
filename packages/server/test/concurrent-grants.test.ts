import { describe, expect, it, onTestFinished } from 'vitest';
import {
  allow,
  authorizePath,
  callResource,
  confidentialTokens,
  postToken,
  publicCode,
  publicRedemption,
  publicRequest,
  refreshPublic,
  signedIn,
  type TokenPairBody,
} from './authorization-flow.js';
import { redirectQuery } from './browser.js';
import { formOf, parsePage } from './pages/page-document.js';
import {
  CONFIDENTIAL,
  databaseUnderTest,
  SECRET,
  type ServiceUnderTest,
  startService,
} from './service-under-test.js';

const ROUNDS = 12;
const credentials = { client_id: CONFIDENTIAL, client_secret: SECRET };

async function twoServers(): Promise<[ServiceUnderTest, ServiceUnderTest]> {
  const database = await databaseUnderTest();
  const first = await startService({ database });
  onTestFinished(() => first.server.close());
  // The second server uses the first one's public URL, as processes of one service do.
  const second = await startService({ database, baseUrl: first.baseUrl });
  onTestFinished(() => second.server.close());
  return [first, second];
}

function refresh(service: ServiceUnderTest, refresh_token: string): Promise<Response> {
  return postToken(service, { grant_type: 'refresh_token', ...credentials, refresh_token });
}

async function validityOf(service: ServiceUnderTest, pair: TokenPairBody): Promise<boolean[]> {
  const access = (await callResource(service, pair.access_token)).status === 200;
  const next = await refresh(service, pair.refresh_token);
  return [access, next.status === 201];
}

describe('revocation during a refresh of the same grant', () => {
  it('leaves no valid token behind', { timeout: 60_000 }, async () => {
    const [first, second] = await twoServers();
    for (let round = 0; round < ROUNDS; round += 1) {
      const pair = await confidentialTokens(first);
      const body = new URLSearchParams({ ...credentials, token: pair.refresh_token });
      const [refreshed, revoked] = await Promise.all([
        refresh(first, pair.refresh_token),
        second.request('/oauth/revoke', { method: 'POST', body }),
      ]);
      expect(revoked.status).toBe(200);
      expect(await validityOf(first, pair)).toEqual([false, false]);
      if (refreshed.status !== 201) continue;
      expect(await validityOf(second, (await refreshed.json()) as TokenPairBody)).toEqual([false, false]);
    }
  });

  it('revokes the tokens that followed a rotated refresh token', async () => {
    const [first] = await twoServers();
    const pair = await confidentialTokens(first);
    const next = (await (await refresh(first, pair.refresh_token)).json()) as TokenPairBody;
    const other = await confidentialTokens(first);
    const body = new URLSearchParams({ ...credentials, token: pair.refresh_token });
    await first.request('/oauth/revoke', { method: 'POST', body });
    expect(await validityOf(first, next)).toEqual([false, false]);
    expect(await validityOf(first, other)).toEqual([true, true]);
  });
});

describe('withdrawal of a consent during an authorization request', () => {
  it('leaves neither a code nor a token behind', { timeout: 60_000 }, async () => {
    const [first, second] = await twoServers();
    const browser = await signedIn(first);
    for (let round = 0; round < ROUNDS; round += 1) {
      const earlier = await allow(browser, publicRequest(first));
      const account = parsePage(await (await browser.get('/account')).text());
      const form = formOf(account, '/account/apps/revoke');
      const [asked, revoked] = await Promise.all([
        browser.get(authorizePath(publicRequest(first))),
        browser.post('/account/apps/revoke', Object.fromEntries(form.hidden)),
      ]);
      expect([asked.status, revoked.status]).toEqual([302, 303]);
      for (const code of [earlier, redirectQuery(asked).code]) {
        if (code === undefined) continue;
        expect((await postToken(second, publicRedemption(first, code))).status).toBe(400);
      }
    }
  });
});

describe('redemption of one code at two servers', () => {
  it('issues at most one token pair, and revokes it, also when refreshed', { timeout: 60_000 }, async () => {
    const [first, second] = await twoServers();
    for (let round = 0; round < ROUNDS; round += 1) {
      const redemption = publicRedemption(first, await publicCode(first));
      const redeemAndRefresh = async (service: ServiceUnderTest) => {
        const response = await postToken(service, redemption);
        if (response.status !== 201) return [];
        const pair = (await response.json()) as TokenPairBody;
        const refreshed = await refreshPublic(service, pair.refresh_token);
        return refreshed.status === 201 ? [pair, (await refreshed.json()) as TokenPairBody] : [pair];
      };
      const pairs = (await Promise.all([first, second, first].map(redeemAndRefresh))).flat();
      expect(pairs.length).toBeLessThanOrEqual(2);
      for (const { access_token, refresh_token } of pairs) {
        expect((await callResource(first, access_token)).status).toBe(401);
        expect((await refreshPublic(first, refresh_token)).status).toBe(400);
      }
    }
  });
});
