import type { EndpointName } from '@latchkey/contract/constants';

/** Groups of endpoints, in display order. */
export const TAGS = {
  Memberships: 'Grant and check access from your own funnel. Requires an API key.',
  Checkout: 'Open hosted payment pages for the plans of a community. Requires an API key.',
  Messenger: 'Invite buyers to the community’s chat. Requires an API key.',
  Drops: 'Sign users up for the next drop of a community. Requires an API key.',
  'Sign-in': 'OAuth 2.0: authorization code, with or without PKCE, and refresh tokens.',
  'Signed-in user': 'Data of a user who has allowed your client. Requires an access token.',
  Webhooks: 'Events that the service sends to your server.',
} as const;

/** Group of endpoints. */
export type Tag = keyof typeof TAGS;

/** Texts about an endpoint that are not in its schemas. */
export interface EndpointWording {
  tag: Tag;
  summary: string;
  text: string;
  /** Prefixes of the requirement ids that are listed with the endpoint. */
  rules: readonly string[];
}

export const ENDPOINT_WORDING: Readonly<Record<EndpointName, EndpointWording>> = {
  provisionExternal: {
    tag: 'Memberships',
    summary: 'Provision a membership',
    text: 'Grants access to a community from an external funnel: finds the user by e-mail address or messenger account, creates the user if there is none, and grants or changes the membership. Retrying with the same `externalOrderId` is safe while it is the buyer’s most recent order in the community.',
    rules: ['provision'],
  },
  checkMessenger: {
    tag: 'Memberships',
    summary: 'Check a messenger account',
    text: 'Reports if a messenger account has an active membership of a community now.',
    rules: ['check-messenger'],
  },
  buyPlan: {
    tag: 'Checkout',
    summary: 'Open a checkout',
    text: 'Creates a hosted checkout session for a pricing plan. After validation and authorization, failures come with the status 201: a response without `data.checkoutUrl` is a failure. A visit to `successUrl` does not prove a payment. The event `payment.success` does.',
    rules: ['buy-plan'],
  },
  inviteLink: {
    tag: 'Messenger',
    summary: 'Create an invite link',
    text: 'Returns a new invite link to the community’s chat for a paid checkout that buy-plan opened. The link is valid for 24 hours and admits only the buyer’s own messenger account.',
    rules: ['invite-link'],
  },
  dropSignup: {
    tag: 'Drops',
    summary: 'Sign up for the next drop',
    text: 'Signs an e-mail address up for the community’s next drop: the drop with the earliest start among those that have not ended. You cannot choose a drop.',
    rules: ['drop-signup'],
  },
  authorize: {
    tag: 'Sign-in',
    summary: 'Send the user to sign in',
    text: 'For browsers: the user signs in, gives consent, and returns to `redirect_uri` with `code` and `state`. If the user or the service denies the request, they return with `error` and `state`. A request that cannot be trusted is never redirected and gets a 400.',
    rules: ['authorize'],
  },
  token: {
    tag: 'Sign-in',
    summary: 'Redeem a code or refresh token',
    text: 'Returns a pair of tokens for an authorization code or a refresh token. Send the credentials in the body (`client_secret_post`), as JSON or as a form. The `Authorization: Basic` header is ignored.',
    rules: ['token', 'credentials'],
  },
  revoke: {
    tag: 'Sign-in',
    summary: 'Revoke a token',
    text: 'Revokes an access token, or a refresh token with its access token. Requires the secret of a confidential client. The response does not reveal if the token existed.',
    rules: ['revoke'],
  },
  clientIdentity: {
    tag: 'Sign-in',
    summary: 'Read a client’s public identity',
    text: 'Returns the public data of a client. The login widget’s callback uses it to check if an origin may receive the client’s code.',
    rules: ['client-identity'],
  },
  userinfo: {
    tag: 'Signed-in user',
    summary: 'Get the user',
    text: 'Returns the id and e-mail address of the access token’s user. Requires no scope.',
    rules: ['userinfo'],
  },
  memberships: {
    tag: 'Signed-in user',
    summary: 'List the user’s memberships',
    text: 'Returns all active memberships of the user.',
    rules: ['memberships'],
  },
  products: {
    tag: 'Signed-in user',
    summary: 'List the user’s products',
    text: 'Returns all products that the user sells. Purchases are not included.',
    rules: ['products'],
  },
};
