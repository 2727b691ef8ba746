import type { JoinAnswer, JoinRequestHandler, MessengerBot } from '../domain/messenger/messenger-bot.js';
import { createOpaqueSecret } from '../platform/secrets.js';

/** Where the simulated messenger's invite links lead; the secret is the last segment. */
export const SIMULATED_LINK_PATH = '/sandbox/messenger';

/** A messenger that exists in the sandbox only: its links open a page on which a visitor picks who asks to join. */
export interface SimulatedMessenger extends MessengerBot {
  /** A messenger account follows a link and asks to join; the answer is what its owner sees. */
  askToJoin(link: string, messengerUserId: number): Promise<JoinAnswer>;
  /** The link with this secret. */
  linkOf(secret: string): string;
}

/** @param baseUrl the service's own origin: the links lie there. */
export function createSimulatedMessenger(baseUrl: string): SimulatedMessenger {
  let answer: JoinRequestHandler = async () => ({ accepted: false, reason: 'The service has not started.' });
  const linkOf = (secret: string) => `${baseUrl}${SIMULATED_LINK_PATH}/${secret}`;
  return {
    async mintInviteLink() {
      return linkOf(createOpaqueSecret().text);
    },
    onJoinRequest(handler) {
      answer = handler;
    },
    askToJoin: (link, messengerUserId) => answer({ link, messengerUserId }),
    linkOf,
  };
}
