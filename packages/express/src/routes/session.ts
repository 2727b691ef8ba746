import type { Membership, UserIdentity } from '@latchkey/oauth';
import { sendError } from '../answer.js';
import { LatchkeyError } from '../latchkey-error.js';
import type { Session } from '../session/session.js';
import type { RouteContext } from './kit-route.js';

/** Answer of `GET /auth/session` and `POST /auth/exchange`. It holds no token. */
export type SessionBody =
  | {
      signedIn: true;
      user: UserIdentity;
      memberships: readonly Membership[];
      /** When the kit's access token expires, in milliseconds since the epoch: a good time to ask again. */
      expiresAt: number;
    }
  | {
      signedIn: false;
      /** Said once, after a session ran out. */
      reason?: 'expired';
    };

/** `GET /auth/session`: who is signed in, for the widget and for scripts of the app. Refreshes when due. */
export function session(context: RouteContext): Promise<void> {
  return sendSession(context);
}

/** Answers with the session as it is now. */
export async function sendSession({ visit, response }: RouteContext): Promise<void> {
  let current: Session | undefined;
  let memberships: readonly Membership[] = [];
  try {
    current = await visit.current();
    if (current?.tokens.scopes.includes('memberships.read')) {
      ({ memberships } = await visit.membershipAnswer());
      // A token that the service no longer took was renewed meanwhile.
      current = await visit.current();
    }
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    if (error.code === 'service_unavailable') {
      return sendError(response, 503, { error: error.code, message: error.message });
    }
    current = undefined;
  }
  if (current === undefined) {
    const isExpired = visit.expired && visit.tellOfEnd();
    response.setHeader('Cache-Control', 'no-store');
    const body: SessionBody = isExpired ? { signedIn: false, reason: 'expired' } : { signedIn: false };
    response.json(body);
    return;
  }
  const { user, tokens } = current;
  const body: SessionBody = { signedIn: true, user, memberships, expiresAt: tokens.expiresAt };
  response.setHeader('Cache-Control', 'no-store');
  response.json(body);
}
