import type { EndpointName } from '@latchkey/contract/constants';

/** How the endpoints are grouped, in the order in which they are shown. */
export const TAGS = {
  Memberships: 'Grant access from your own funnel, and ask whether somebody has it. API key.',
  Checkout: 'Open hosted payment pages for the plans of a community. API key.',
  Messenger: 'Let buyers into the community’s chat. API key.',
  Drops: 'Sign people up for the next drop of a community. API key.',
  'Sign-in': 'OAuth 2.0: authorization code, with or without PKCE, and refresh tokens.',
  'Signed-in user': 'What a user who has consented lets a client know. Access token.',
  Webhooks: 'What the service sends to you.',
} as const;

/** One of the groups. */
export type Tag = keyof typeof TAGS;

/** The words about an endpoint that no schema holds. */
export interface EndpointWording {
  tag: Tag;
  summary: string;
  text: string;
  /** First parts of the ids of the rules that are told with it. */
  rules: readonly string[];
}

export const ENDPOINT_WORDING: Readonly<Record<EndpointName, EndpointWording>> = {
  provisionExternal: {
    tag: 'Memberships',
    summary: 'Provision a membership',
    text: 'Grants access to a community from an external funnel: finds the user by e-mail address or messenger account, creates one if nobody matches, and grants or adjusts the membership. Retrying with the same `externalOrderId` is safe while it is the buyer’s most recent order in the community.',
    rules: ['provision'],
  },
  checkMessenger: {
    tag: 'Memberships',
    summary: 'Check a messenger account',
    text: 'Tells whether a messenger account holds an active membership of a community at this moment.',
    rules: ['check-messenger'],
  },
  buyPlan: {
    tag: 'Checkout',
    summary: 'Open a checkout',
    text: 'Creates a hosted checkout session for a pricing plan. After validation and authorization failures are told inside a 201: the absence of `data.checkoutUrl` is the failure signal. Reaching `successUrl` proves nothing; the event `payment.success` does.',
    rules: ['buy-plan'],
  },
  inviteLink: {
    tag: 'Messenger',
    summary: 'Mint an invite link',
    text: 'Gives a fresh invite link to the community’s chat for a checkout that was opened with buy-plan and paid. The link is valid for 24 hours and lets in the buyer’s own messenger account only.',
    rules: ['invite-link'],
  },
  dropSignup: {
    tag: 'Drops',
    summary: 'Sign up for the next drop',
    text: 'Signs an e-mail address up for the community’s next drop slot, found at the time of the call: the one with the earliest start among those that have not ended. A specific drop cannot be named.',
    rules: ['drop-signup'],
  },
  authorize: {
    tag: 'Sign-in',
    summary: 'Send the user to sign in',
    text: 'For browsers: the user signs in, is asked for consent, and comes back to `redirect_uri` with `code` and `state`. Refusals come back with `error` and `state`. What cannot be trusted to be redirected is answered with a 400.',
    rules: ['authorize'],
  },
  token: {
    tag: 'Sign-in',
    summary: 'Redeem a code, or refresh',
    text: 'Gives a pair of tokens for an authorization code or a refresh token. Credentials go in the body (`client_secret_post`), as JSON or as a form; the `Authorization: Basic` header is not read.',
    rules: ['token', 'credentials'],
  },
  revoke: {
    tag: 'Sign-in',
    summary: 'Revoke a token',
    text: 'Ends an access token, or a refresh token with its access token. Needs the secret of a confidential client. The answer does not tell whether the token existed.',
    rules: ['revoke'],
  },
  clientIdentity: {
    tag: 'Sign-in',
    summary: 'Read a client’s public identity',
    text: 'What anybody may know of a client. The login widget’s callback asks it whether an origin may receive the client’s code.',
    rules: ['client-identity'],
  },
  userinfo: {
    tag: 'Signed-in user',
    summary: 'Who the user is',
    text: 'Identifies the user that the access token stands for. Needs no scope.',
    rules: ['userinfo'],
  },
  memberships: {
    tag: 'Signed-in user',
    summary: 'What the user has access to',
    text: 'Lists the active memberships of the user, completely.',
    rules: ['memberships'],
  },
  products: {
    tag: 'Signed-in user',
    summary: 'What the user sells',
    text: 'Lists the products that the user created as a seller, completely. These are not purchases.',
    rules: ['products'],
  },
};
