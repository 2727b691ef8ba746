import type { Answer } from '../session/answer.js';
import type { Session } from '../session/session.js';
import { authorize, clientOf, type Parameters, postTokenForm, redeem } from './oauth-calls.js';

/** Redeems a code that does not exist, with correct credentials of the confidential client, and changes. */
export function requestToken(session: Session, changes: Parameters): Promise<Answer> {
  return session.variant('token', changes, async () => {
    const { clientId, clientSecret, redirectUri } = clientOf(session, 'confidential');
    return await postTokenForm(session, {
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      code: 'unknown-code',
      redirect_uri: redirectUri,
      ...changes,
    });
  });
}

/** Redeems a new code of the public client, with changes. */
export async function redeemNewCode(session: Session, changes: Parameters): Promise<Answer> {
  return await redeem(session, await authorize(session), changes);
}
