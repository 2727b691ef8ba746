import {
  accountPage,
  consentPage,
  mailboxPage,
  mailPage,
  messagePage,
  sandboxHomePage,
  signedOutPage,
  signInCodePage,
  signInPage,
  widgetCallbackPage,
} from '../../src/pages/index.js';
import { everySellerPageWith } from './seller-page-fixtures.js';

/** 12 June 2026, 14:05 UTC. */
export const AFTERNOON = Date.UTC(2026, 5, 12, 14, 5);

export const PUBLIC_CLIENT_ID = 'oac_a1b2c3d4e5f60718293a4b5c';

/** A parameter set of an authorization request, with characters that HTML and URLs treat specially. */
export const AUTHORIZATION_QUERY = {
  client_id: PUBLIC_CLIENT_ID,
  redirect_uri: 'https://shop.example/callback?from="menu"&to=<b>',
  scope: 'memberships.read products.read',
  state: 'a&b=c"d',
};

/** Every page with `hostile` wherever a user, a client's owner or an attacker gets to write. */
export function everyPageWith(hostile: string): Record<string, string> {
  const client = { name: hostile, description: hostile, logoUrl: hostile };
  const user = { email: hostile, name: hostile };
  const frame = { user, account: hostile };
  const sandboxUsers = [{ email: hostile, name: hostile, note: hostile }];
  const message = { id: hostile, to: hostile, subject: hostile, receivedAt: AFTERNOON };
  return {
    signIn: signInPage({ client, continueTo: hostile, email: hostile, error: hostile, sandboxUsers }),
    signInCode: signInCodePage({ client, email: hostile, continueTo: hostile, error: hostile }),
    consent: consentPage({
      client,
      user,
      scopes: ['memberships.read', 'products.read'],
      redirectHost: hostile,
      query: { state: hostile, [hostile]: hostile },
      account: hostile,
    }),
    account: accountPage({
      frame,
      memberships: [{ name: hostile, productType: hostile, validFrom: AFTERNOON, validUntil: AFTERNOON }],
      apps: [{ clientId: hostile, name: hostile, logoUrl: hostile, scopes: [], grantedAt: AFTERNOON }],
      notice: hostile,
    }),
    signedOut: signedOutPage({}),
    message: messagePage({
      title: hostile,
      text: hostile,
      detail: hostile,
      hint: hostile,
      action: { href: '/account', label: hostile },
    }),
    widgetCallback: widgetCallbackPage({ clientId: hostile, baseUrl: hostile, clientName: hostile }),
    sandboxHome: sandboxHomePage({
      serviceTime: AFTERNOON,
      users: sandboxUsers,
      clients: [{ clientId: hostile, name: hostile, logoUrl: hostile, widgetOrigins: [hostile] }],
      shops: [{ label: hostile, url: 'https://shop.example' }],
      notice: hostile,
    }),
    mailbox: mailboxPage({ messages: [{ ...message, code: hostile }], to: hostile }),
    mail: mailPage({ message: { ...message, text: hostile } }),
    ...everySellerPageWith(hostile),
  };
}
