import type { Page } from '@latchkey/server/ui';
import { consolePage } from '../src/console/console-routes.js';
import { homePage } from '../src/home/home-page.js';
import { rejectedAuthorizationPage } from '../src/home/rejected-authorization.js';
import { mailPage } from '../src/mailbox/mail-page.js';
import { mailboxPage } from '../src/mailbox/mailbox-page.js';
import { messengerInvitePage } from '../src/messenger/messenger-invite-page.js';
import { messengerPage } from '../src/messenger/messenger-page.js';
import { paymentPage } from '../src/payments/payment-pages.js';
import type { SimulatedPayment } from '../src/payments/payment-store.js';

/** 12 June 2026, 14:05 UTC. */
export const AFTERNOON = Date.UTC(2026, 5, 12, 14, 5);

/** Address of the console's script in {@link everyPageWith}. */
export const CONSOLE_SCRIPT = '/sandbox/assets/main.a1b2c3d4.js';

/** Returns every page of the sandbox, with `text` in all places that contain data. */
export function everyPageWith(text: string): Record<string, Page> {
  const message = { id: text, to: text, senderName: text, subject: text, receivedAt: AFTERNOON };
  return {
    home: homePage({
      ...homeStateWith(text),
      people: [{ email: text, name: text, note: text, group: text }],
      shops: [{ label: text, url: 'https://shop.example' }],
      forSale: [{ label: text, url: '/products/x' }],
      isPublic: true,
      refused: true,
    }),
    rejectedAuthorization: rejectedAuthorizationPage({
      description: text,
      clientId: text,
      redirectUri: text,
      registered: [text],
      query: text,
      error: text,
    }),
    console: consolePage(
      { name: text, label: text, lead: text, group: 'observe' },
      { baseUrl: text, controlToken: text, serviceTime: AFTERNOON },
      CONSOLE_SCRIPT,
    ),
    mailbox: mailboxPage({
      messages: [{ ...message, code: text }],
      appCodes: [{ email: text, code: text, isOn: false }],
      to: text,
      text,
    }),
    mail: mailPage({ message: { ...message, text, code: text }, userId: text }),
    messenger: messengerPageWith(text),
    payment: paymentPage({
      payment: paymentWith(text),
      action: '/sandbox/pay/key',
      webhooks: 'send',
      error: text,
    }),
    messengerInvite: messengerInvitePage({
      communityName: text,
      action: '/sandbox/messenger/secret',
      expiresAt: AFTERNOON,
      hasExpired: false,
      accounts: [{ messengerUserId: 1001, name: text, email: text }],
      outcome: { messengerUserId: 1001, reason: text },
      typed: text,
    }),
  };
}

/** State of the home page after all steps, with `text` in all places that contain data. */
export function homeStateWith(text: string) {
  const at = new Date(AFTERNOON).toISOString();
  return {
    serviceTime: AFTERNOON,
    progress: {
      signIn: { person: text, client: text, requestId: text },
      purchase: {
        ...{ membershipId: text, userId: text, buyer: text, item: text },
        paidAt: AFTERNOON,
        endsAt: null,
      },
      gate: { client: text, requestId: text },
      webhook: { type: text, url: text, eventId: text },
    },
    presets: [
      { preset: 'next-membership-end', at, label: text },
      { preset: 'next-renewal', at: null, label: null },
    ],
    values: [{ label: text, value: text, variable: 'LATCHKEY_SERVICE_URL' }],
    snippets: [{ title: text, note: text, code: text }],
    moved: {
      ...{ from: at, serviceTime: at, realTime: at, aheadMs: 0, total: 1 },
      happened: [{ at, kind: 'membership-end', label: text, id: text }],
    },
  } as const;
}

/** Open payment with `text` in all places that come from outside. */
function paymentWith(text: string): SimulatedPayment {
  return {
    ...{ orderId: text, reference: text, attempt: 1, pageKey: text, amountMinor: 900, currency: 'EUR' },
    ...{ method: 'card-3220', description: text, buyerEmail: text, isRenewal: false, subscription: null },
    ...{ returnUrl: 'https://shop.example/?returned', cancelUrl: 'https://shop.example/', state: 'open' },
    ...{ reason: null, createdAt: AFTERNOON, expiresAt: AFTERNOON, arrivesAt: null, dispute: null },
    ...{ refunds: [], webhooks: [] },
  };
}

function messengerPageWith(text: string): Page {
  return messengerPage({
    chats: [
      {
        id: 'c0',
        name: text,
        botName: text,
        people: [
          {
            ...{ messengerUserId: 1001, userId: text, name: text, email: text },
            ...{ joinedAt: AFTERNOON, isMember: true },
          },
          {
            messengerUserId: 1002,
            userId: null,
            name: null,
            email: null,
            joinedAt: AFTERNOON,
            isMember: false,
          },
        ],
        requests: [
          { id: 'r1', messengerUserId: 1001, reason: null, createdAt: AFTERNOON },
          { id: 'r2', messengerUserId: 1002, reason: text, createdAt: AFTERNOON },
        ],
      },
    ],
  });
}
