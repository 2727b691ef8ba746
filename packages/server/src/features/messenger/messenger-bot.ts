/** The invite link to create. */
export interface InviteLinkOrder {
  /** Name of the bot that the community's owner entered. Others can enter it too: the chat is `communityId`'s. */
  readonly botName: string;
  readonly communityId: string;
  readonly communityName: string;
  /** Expiry of the link in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A messenger account's request to join a chat by an invite link. */
export interface JoinRequest {
  /** The link exactly as {@link MessengerBot.mintInviteLink} returned it. */
  readonly link: string;
  /** Id of the account: an integer from 1 to 2^53-1. */
  readonly messengerUserId: number;
}

/** Result of a join request. */
export type JoinResult =
  | { readonly kind: 'accepted'; readonly requestId: string }
  /**
   * The bot shows the reason to the account. `requestId` is missing if the link is unknown: such requests aren't
   * stored.
   */
  | { readonly kind: 'rejected'; readonly reason: string; readonly requestId?: string };

/** Decides a join request, and stores it with its result. */
export type JoinRequestHandler = (request: JoinRequest) => Promise<JoinResult>;

/**
 * Connection to a messenger, passed to `startServer` as the option `messengerBot`. The bot administers the communities'
 * chats: it creates invite links, passes join requests to the server, and accepts or rejects the accounts.
 */
export interface MessengerBot {
  /**
   * Creates a link with which an account asks to join the community's chat. Each call returns a new, unguessable link.
   *
   * @throws Error if no link can be created. The invite-link endpoint then responds with 500.
   */
  mintInviteLink(order: InviteLinkOrder): Promise<string>;
  /**
   * Receives the handler once, when the server starts. The bot passes every join request to it and applies the result.
   */
  onJoinRequest(handler: JoinRequestHandler): void;
}
