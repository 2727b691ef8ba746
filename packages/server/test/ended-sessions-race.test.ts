import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import {
  allow,
  authorizePath,
  callResource,
  confidentialRedemption,
  confidentialRequest,
  postToken,
  publicTokens,
  refreshPublic,
  signedIn,
} from './authorization-flow.js';
import { redirectQuery } from './browser.js';
import { it } from './service-under-test.js';

/** Repetitions, because the requests meet by chance. Without the check, most rounds left a code on PostgreSQL. */
const ROUNDS = 6;
/** Concurrent requests of a round. */
const REQUESTS = 12;

describe('the end of all sessions and apps', () => {
  it('leaves no usable code to an authorization request in flight with a stolen session', async ({
    service,
  }) => {
    const usable: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const thief = await signedIn(service);
      await allow(thief, confidentialRequest());
      const inFlight = Array.from({ length: REQUESTS }, () =>
        thief.get(authorizePath(confidentialRequest())),
      );
      const { operator } = service.server;
      // The other requests are at different points of their way now.
      await Promise.race(inFlight);
      const ended = operator.end('users', sandboxScenario.users.ada.id);
      const responses = await Promise.all(inFlight);
      await ended;
      for (const response of responses) {
        const location = response.headers.get('location') ?? '';
        const { code } = location.startsWith('http') ? redirectQuery(response) : {};
        if (code === undefined) continue;
        const { status } = await postToken(service, confidentialRedemption(code));
        if (status === 201) usable.push(`round ${round}`);
      }
    }
    expect(usable).toEqual([]);
  });

  it('leaves no usable token to a refresh in flight', async ({ service }) => {
    const usable: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const stolen = await Promise.all(Array.from({ length: 4 }, () => publicTokens(service)));
      const inFlight = stolen.map(({ refresh_token }) => refreshPublic(service, refresh_token));
      await Promise.race(inFlight);
      const ended = service.server.operator.end('users', sandboxScenario.users.ada.id);
      const responses = await Promise.all(inFlight);
      await ended;
      for (const response of responses) {
        const { access_token: token } = (await response.json()) as { access_token?: string };
        if (token !== undefined && (await callResource(service, token)).status !== 401) {
          usable.push(`round ${round}`);
        }
      }
    }
    expect(usable).toEqual([]);
  });
});
