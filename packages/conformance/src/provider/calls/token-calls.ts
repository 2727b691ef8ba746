import type { Answer } from '../session/answer.js';
import type { Session } from '../session/session.js';
import { authorize, clientOf, type Parameters, postTokenForm, redeem, revoke } from './oauth-calls.js';

/** Id that no client has. */
export const UNKNOWN_CLIENT = `oac_${'0'.repeat(24)}`;
/** Secret that no client has. */
export const WRONG_SECRET = `ocs_${'f'.repeat(48)}`;

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

/** Sends one request after another. */
export async function inTurn<Input>(
  inputs: readonly Input[],
  send: (input: Input) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const input of inputs) answers.push(await send(input));
  return answers;
}

/** Revokes an unknown token with the credentials of the confidential client, and changes. */
export function revokeUnknown(session: Session, changes: Parameters = {}): Promise<Answer> {
  return session.variant('revoke', changes, () => revoke(session, 'unknown-token', changes));
}
