import { authorizationUrl, createPkcePair, createState } from '@latchkey/oauth';
import { returnAddress } from '../sign-in/return-to.js';
import { rememberAttempt } from '../sign-in/sign-in-attempt.js';
import type { RouteContext } from './kit-route.js';

/** `GET /auth/login?returnTo=/path`: off to the service, with everything needed on return in a cookie of this attempt. */
export async function login({ kit, request, response }: RouteContext): Promise<void> {
  const { service, settings, callbackUrl } = kit;
  const [{ codeVerifier, codeChallenge }, state] = [await createPkcePair(), createState()];
  const returnTo = returnAddress(request.query.returnTo, settings);
  const startedAt = settings.clock.now();
  await rememberAttempt(kit, { request, response }, { state, codeVerifier, returnTo, startedAt });
  const location = authorizationUrl(service, {
    redirectUri: callbackUrl,
    scopes: settings.scopes,
    state,
    codeChallenge,
  });
  response.redirect(302, location);
}
