import { authorizationUrl, createPkcePair, createState } from '@latchkey/oauth';
import { returnAddress } from '../sign-in/return-to.js';
import { rememberAttempt } from '../sign-in/sign-in-attempt.js';
import type { RouteContext } from './kit-route.js';

/**
 * `GET /auth/login?returnTo=/path&scope=products.read`: off to the service, with everything needed on return in a cookie
 * of this attempt. `scope` adds to what is asked for anyway, out of what the app uses.
 */
export async function login(context: RouteContext): Promise<void> {
  const { kit, request, response } = context;
  const { service, settings, callbackUrl } = kit;
  const [{ codeVerifier, codeChallenge }, state] = [await createPkcePair(), createState()];
  const returnTo = returnAddress(request.query.returnTo, settings);
  const scopes = scopesToAskFor(context);
  const startedAt = settings.clock.now();
  await rememberAttempt(kit, { request, response }, { state, codeVerifier, returnTo, scopes, startedAt });
  const location = authorizationUrl(service, { redirectUri: callbackUrl, scopes, state, codeChallenge });
  response.redirect(302, location);
}

/** What is granted already is asked for again: a wider session must not become narrower elsewhere. */
function scopesToAskFor({ kit, visit, request }: RouteContext): string[] {
  const { scope } = request.query;
  const wanted = typeof scope === 'string' ? scope.split(' ') : [];
  const added = [...visit.scopes, ...wanted].filter((each) => kit.scopesInUse.has(each));
  return [...new Set([...kit.settings.scopes, ...added])];
}
