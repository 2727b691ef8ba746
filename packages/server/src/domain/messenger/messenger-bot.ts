/** An invite link to make. */
export interface InviteLinkOrder {
  /** Name of the community's bot, as its owner set it. */
  readonly botName: string;
  readonly communityId: string;
  readonly communityName: string;
  /** The first instant at which the link opens nothing any more: milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Somebody in the messenger who followed an invite link and asks to be let in. */
export interface JoinRequest {
  /** The link, exactly as {@link MessengerBot.mintInviteLink} gave it. */
  readonly link: string;
  /** The messenger account that asks: a whole number from 1 to 2^53-1. */
  readonly messengerUserId: number;
}

/** What the bot does with a join request; the reason is for the person who asked. */
export type JoinAnswer =
  | { readonly accepted: true; readonly requestId: string }
  | { readonly accepted: false; readonly reason: string; readonly requestId?: string };

/** Judges a join request, and keeps it with its outcome. */
export type JoinRequestHandler = (request: JoinRequest) => Promise<JoinAnswer>;

/**
 * The messenger, as the service needs it. The bot administers the communities' chats there: it makes links by which
 * people ask to join, reports who asks, and lets them in or not as it is told.
 */
export interface MessengerBot {
  /**
   * Makes a link by which people ask to join the community's chat; each call a new one that nobody can guess. An error
   * becomes the 500 of the invite-link endpoint.
   */
  mintInviteLink(order: InviteLinkOrder): Promise<string>;
  /** Called once, when the service starts. From then on every join request goes to the handler, before it is answered. */
  onJoinRequest(handler: JoinRequestHandler): void;
}
