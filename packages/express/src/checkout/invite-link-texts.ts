import type { InviteSearch } from './find-invite-link.js';

interface InviteTexts {
  title: string;
  message: string;
  hint: string;
  /** True if the page offers to load it again. */
  canRetry: boolean;
}

/** Texts of the failures of `auth.inviteLink`. */
export const INVITE_TEXTS: Readonly<
  Record<Exclude<InviteSearch['kind'], 'link' | 'not_a_member'>, InviteTexts>
> = {
  pending: {
    title: 'Not confirmed yet',
    message: 'Your payment has not been processed yet.',
    hint: 'If you have just paid, try again in a moment. You need not pay again.',
    canRetry: true,
  },
  not_bought_here: {
    title: 'No invitation for this membership',
    message:
      'Your membership was not bought on this site with this account, so it has no invitation to the chat.',
    hint: 'If you bought it with another account, sign in with that one. Otherwise ask the site for an invitation.',
    canRetry: false,
  },
  no_chat: {
    title: 'The chat is not available',
    message: 'The chat of this community is not set up.',
    hint: 'Your membership is active. Please ask the site, or try again later.',
    canRetry: false,
  },
  refused: {
    title: 'The chat is not available right now',
    message: 'The membership service rejected the request of this site.',
    hint: 'Your membership is not affected. The site owner can find the reason in the log.',
    canRetry: false,
  },
  unavailable: {
    title: 'One moment, please',
    message: 'The membership service could not be reached.',
    hint: 'Please try again in a moment.',
    canRetry: true,
  },
};
