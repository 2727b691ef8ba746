import { randomBytes } from 'node:crypto';
import type { JoinAnswer, JoinRequestHandler, MessengerBot } from '@latchkey/server';

/** Address of the messenger page. An invite link appends a secret to it. */
export const SIMULATED_LINK_PATH = '/sandbox/messenger';

/** Messenger without a real service. Its invite links open a page on which a visitor picks the account that asks to join. */
export interface SimulatedMessenger extends MessengerBot {
  /** Asks to join with an account that followed a link. Returns the bot's answer. */
  askToJoin(link: string, messengerUserId: number): Promise<JoinAnswer>;
  /** Returns the link with a secret. */
  linkOf(secret: string): string;
}

/**
 * Creates a messenger.
 *
 * @param baseUrl returns the origin of the service, which its links contain.
 */
export function createSimulatedMessenger(baseUrl: () => string): SimulatedMessenger {
  let answer: JoinRequestHandler = async () => ({ accepted: false, reason: 'The service has not started.' });
  const linkOf = (secret: string) => `${baseUrl()}${SIMULATED_LINK_PATH}/${secret}`;
  return {
    async mintInviteLink() {
      return linkOf(randomBytes(32).toString('base64url'));
    },
    onJoinRequest(handler) {
      answer = handler;
    },
    askToJoin: (link, messengerUserId) => answer({ link, messengerUserId }),
    linkOf,
  };
}
