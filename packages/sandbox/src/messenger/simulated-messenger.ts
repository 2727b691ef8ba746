import { randomBytes } from 'node:crypto';
import type { JoinRequestHandler, JoinResult, MessengerBot } from '@latchkey/server';

/** Path of the messenger page. Invite links append a secret to it. */
export const SIMULATED_LINK_PATH = '/sandbox/messenger';

/** A messenger without a real service. Its invite links open a page where the visitor picks the account that asks to join. */
export interface SimulatedMessenger extends MessengerBot {
  /** Sends a join request for an account that followed a link, and returns its result. */
  askToJoin(link: string, messengerUserId: number): Promise<JoinResult>;
  linkOf(secret: string): string;
}

/**
 * Creates a messenger.
 *
 * @param baseUrl returns the origin of the service, for the links.
 */
export function createSimulatedMessenger(baseUrl: () => string): SimulatedMessenger {
  let handle: JoinRequestHandler = async () => ({ kind: 'rejected', reason: 'The service has not started.' });
  const linkOf = (secret: string) => `${baseUrl()}${SIMULATED_LINK_PATH}/${secret}`;
  return {
    async mintInviteLink() {
      return linkOf(randomBytes(32).toString('base64url'));
    },
    onJoinRequest(handler) {
      handle = handler;
    },
    askToJoin: (link, messengerUserId) => handle({ link, messengerUserId }),
    linkOf,
  };
}
