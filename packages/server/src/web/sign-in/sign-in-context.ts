import type { Needs } from '../../app/services.js';
import { checkAuthorization } from '../../domain/oauth/check-authorization.js';
import type { AskingApp } from '../../domain/sign-in/sign-in-mail.js';
import { formTargetOf } from '../ui/frame/send-page.js';
import type { ClientSummary } from '../ui/parts/client-summary.js';
import { authorizationQueryOf } from './continue-path.js';

/** Destination of a sign-in, and the client that requested it. */
export interface SignInContext {
  continueTo: string;
  /** Client whose authorization request led to the sign-in. */
  client?: ClientSummary;
  /** The same client, as the mail with the code names it. */
  app?: AskingApp;
  /** Origins that the form may redirect to if the user has already allowed the client. */
  formTargets: readonly string[];
}

/** Finds the client that requested a sign-in. `continueTo` is a path from `readContinuePath`. */
export async function signInContext(
  needs: Needs<'baseUrl' | 'db'>,
  continueTo: string,
): Promise<SignInContext> {
  const query = authorizationQueryOf(continueTo);
  const checked = query && (await checkAuthorization(needs, query));
  if (checked?.kind !== 'valid') return { continueTo, formTargets: [] };
  const { client, redirectUri, receiver } = checked.request;
  const { name, logoUrl, accent, verifiedAt } = client;
  const app = { name, logoUrl, accent, isVerified: verifiedAt !== null, receiver };
  return { continueTo, client, app, formTargets: [formTargetOf(redirectUri)] };
}
