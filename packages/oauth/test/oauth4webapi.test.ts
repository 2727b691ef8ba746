import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  None,
  refreshTokenGrantRequest,
  validateAuthResponse,
} from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { createPkcePair, exchangeCode, type OAuthService, refreshTokenSet } from '../src/index.js';

/** oauth4webapi is certified, and the other reading of the RFCs: what this package sends must be what it sends. */
const TOKEN_ENDPOINT = 'http://127.0.0.1:4400/oauth/token';
const REDIRECT_URI = 'https://shop.example/callback';
const server = { issuer: TOKEN_ENDPOINT, token_endpoint: TOKEN_ENDPOINT };
const client: Client = { client_id: 'oac_a1b2c3d4e5f60718293a4b5c' };
const pair = {
  access_token: 'a',
  refresh_token: 'r',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'memberships.read',
};

/** Keeps what was sent: method, address and form, in no order. */
function recorder() {
  const sent: { method: string; url: string; form: Record<string, string>; authorization: string | null }[] =
    [];
  const record = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    const { method, url, headers } = request;
    sent.push({ method, url, form, authorization: headers.get('authorization') });
    return Response.json(pair, { status: 201 });
  };
  return { sent, record: record as typeof fetch };
}

describe('beside oauth4webapi', () => {
  it('the challenge of a verifier is the same [authorize.challenge-derivation]', async () => {
    const { codeVerifier, codeChallenge } = await createPkcePair();
    expect(codeChallenge).toBe(await calculatePKCECodeChallenge(codeVerifier));
  });

  for (const [kind, clientSecret, authentication] of [
    ['public', undefined, None()],
    ['confidential', 'ocs_secret & more', ClientSecretPost('ocs_secret & more')],
  ] as [string, string | undefined, ClientAuth][]) {
    it(`a ${kind} client asks for tokens in the same words [token.client-secret-post]`, async () => {
      const ours = recorder();
      const theirs = recorder();
      const service: OAuthService = {
        serviceUrl: 'http://127.0.0.1:4400',
        clientId: client.client_id,
        clientSecret,
        fetch: ours.record,
      };
      const { codeVerifier } = await createPkcePair();
      await exchangeCode(service, { code: 'the+code', redirectUri: REDIRECT_URI, codeVerifier });
      await refreshTokenSet(service, { refreshToken: 'the refresh/token' });

      const options = { [allowInsecureRequests]: true, [customFetch]: theirs.record } as const;
      const answer = validateAuthResponse(
        server,
        client,
        new URLSearchParams({ code: 'the+code', state: 's' }),
        's',
      );
      await authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        answer,
        REDIRECT_URI,
        codeVerifier,
        options,
      );
      await refreshTokenGrantRequest(server, client, authentication, 'the refresh/token', options);
      expect(ours.sent).toEqual(theirs.sent);
      expect(ours.sent).toHaveLength(2);
    });
  }
});
