import { accountPage } from '../../src/web/account/account-page.js';
import { accountProfilePage } from '../../src/web/account/account-profile-page.js';
import { accountSessionsPage } from '../../src/web/account/account-sessions-page.js';
import { consentPage } from '../../src/web/authorize/consent-page.js';
import { developerApiKeysPage } from '../../src/web/developer/api-keys/developer-api-keys-page.js';
import { developerNewApiKeyPage } from '../../src/web/developer/api-keys/developer-new-api-key-page.js';
import { developerClientFormPage } from '../../src/web/developer/clients/developer-client-form-page.js';
import { developerClientPage } from '../../src/web/developer/clients/developer-client-page.js';
import { developerClientsPage } from '../../src/web/developer/clients/developer-clients-page.js';
import { developerSecretPage } from '../../src/web/developer/frame/developer-secret-page.js';
import { DEVELOPER_SECTIONS } from '../../src/web/developer/frame/developer-sections.js';
import { developerHomePage } from '../../src/web/developer/home/developer-home-page.js';
import { developerDeliveryPage } from '../../src/web/developer/webhooks/developer-delivery-page.js';
import { developerWebhookFormPage } from '../../src/web/developer/webhooks/developer-webhook-form-page.js';
import { developerWebhookPage } from '../../src/web/developer/webhooks/developer-webhook-page.js';
import { developerWebhooksPage } from '../../src/web/developer/webhooks/developer-webhooks-page.js';
import { referencePage } from '../../src/web/reference/reference-page.js';
import { signInCodePage } from '../../src/web/sign-in/sign-in-code-page.js';
import { signInPage } from '../../src/web/sign-in/sign-in-page.js';
import { signedOutPage } from '../../src/web/sign-in/signed-out-page.js';
import { checkoutCardPage } from '../../src/web/storefront/checkout-card-page.js';
import { checkoutCryptoPage } from '../../src/web/storefront/checkout-crypto-page.js';
import { checkoutPaidPage } from '../../src/web/storefront/checkout-paid-page.js';
import { communityPage } from '../../src/web/storefront/community-page.js';
import { productPage } from '../../src/web/storefront/product-page.js';
import type { AreaFrame } from '../../src/web/ui/area-page.js';
import { confirmPage } from '../../src/web/ui/confirm-page.js';
import { messagePage } from '../../src/web/ui/message-page.js';
import type { Page } from '../../src/web/ui/site.js';
import { widgetCallbackPage } from '../../src/web/widget/widget-callback-page.js';
import { everySellerPageWith } from './seller-page-fixtures.js';

/** 12 June 2026, 14:05 UTC. */
export const AFTERNOON = Date.UTC(2026, 5, 12, 14, 5);

export const PUBLIC_CLIENT_ID = 'oac_a1b2c3d4e5f60718293a4b5c';

/** Authorization request with characters that are special in HTML and URLs. */
export const AUTHORIZATION_QUERY = {
  client_id: PUBLIC_CLIENT_ID,
  redirect_uri: 'https://shop.example/callback?from="menu"&to=<b>',
  scope: 'memberships.read products.read',
  state: 'a&b=c"d',
};

/** Every page, with `hostile` in every text from a user, a client's owner or an attacker. */
export function everyPageWith(hostile: string): Record<string, Page> {
  const client = { name: hostile, description: hostile, logoUrl: hostile };
  const user = { email: hostile, name: hostile };
  const frame = { user, account: hostile };
  const membership = {
    id: PUBLIC_CLIENT_ID,
    name: hostile,
    productType: hostile,
    validFrom: AFTERNOON,
    validUntil: AFTERNOON,
    isRenewing: true,
  };
  const people = {
    heading: hostile,
    action: '/pick',
    list: [{ email: hostile, name: hostile, note: hostile }],
  };
  const inbox = { name: hostile, href: '/inbox' };
  const order = { name: hostile, seller: hostile, buyer: hostile, amountMinor: 900, currency: 'EUR' };
  const checkout = {
    order: { ...order, periodDays: 30, renews: true },
    action: '/checkout/card/x/pay',
    terms: hostile,
    methods: [{ id: 'one', name: hostile, note: hostile }],
    cancelUrl: `https://shop.example/?from=${encodeURIComponent(hostile)}`,
    problem: hostile,
    notice: hostile,
    disclaimer: hostile,
  };
  const signInHref = '/sign-in?continue=%2Fproducts';
  return {
    signIn: signInPage({ client, continueTo: hostile, email: hostile, error: hostile, people, inbox }),
    signInCode: signInCodePage({ client, email: hostile, continueTo: hostile, error: hostile, inbox }),
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
      memberships: [membership],
      upcoming: [membership],
      expired: [membership],
      apps: [{ clientId: hostile, name: hostile, logoUrl: hostile, scopes: [], grantedAt: AFTERNOON }],
      notice: hostile,
    }),
    accountProfile: accountProfilePage({
      frame,
      name: hostile,
      notice: hostile,
      errors: [{ field: 'name', message: hostile }],
    }),
    accountSessions: accountSessionsPage({
      frame,
      sessions: [{ createdAt: AFTERNOON, expiresAt: AFTERNOON, isCurrent: true }],
      hasMore: true,
      apps: 1,
      notice: hostile,
    }),
    ...developerPagesWith(hostile, frame),
    checkoutCard: checkoutCardPage(checkout),
    checkoutCrypto: checkoutCryptoPage({ ...checkout, transfer: [{ label: hostile, value: hostile }] }),
    checkoutPaid: checkoutPaidPage({ name: hostile, successUrl: checkout.cancelUrl }),
    product: productPage({
      id: 'p',
      name: hostile,
      seller: hostile,
      type: hostile,
      price: { amountMinor: 1_900, currency: 'EUR' },
      visitor: { account: hostile, access: { until: AFTERNOON } },
      signInHref,
    }),
    community: communityPage({
      id: 'c',
      name: hostile,
      plans: [{ ...checkout.order, id: hostile, paidBy: 'crypto' }],
      visitor: { account: hostile, access: { until: AFTERNOON, renews: true } },
      signInHref,
    }),
    signedOut: signedOutPage(),
    message: messagePage({
      title: hostile,
      text: hostile,
      detail: hostile,
      hint: hostile,
      action: { href: '/account', label: hostile },
    }),
    widgetCallback: widgetCallbackPage({ clientId: hostile, baseUrl: hostile, clientName: hostile }),
    reference: referencePage({
      documentHref: '/openapi.json',
      scripts: ['/assets/viewer.js'],
      stylesheet: '/assets/viewer.css',
      canTry: true,
      apiKey: hostile,
    }),
    ...everySellerPageWith(hostile),
  };
}

/** Pages of the developer area. Ids and addresses that only the service writes are plain. */
function developerPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const section = '/developer/clients';
  const errors = [{ field: 'name', message: hostile }];
  const apiKey = { id: hostile, name: hostile, ending: hostile, createdAt: AFTERNOON, revokedAt: null };
  const permissions = ['MEMBERSHIP_READ'] as const;
  const client = {
    clientId: hostile,
    name: hostile,
    type: 'confidential' as const,
    description: hostile,
    logoUrl: hostile,
    redirectUris: [hostile],
    widgetOrigins: [hostile],
    scopes: [],
    hasObstacle: true,
  };
  const fields = {
    name: hostile,
    type: hostile,
    description: hostile,
    logoUrl: hostile,
    redirectUris: hostile,
    widgetOrigins: hostile,
    scopes: [hostile],
    hostedCallback: true,
  };
  const webhook = {
    id: PUBLIC_CLIENT_ID,
    url: hostile,
    subjectName: hostile,
    communityId: hostile,
    createdAt: AFTERNOON,
    isActive: true,
    failingSince: AFTERNOON,
    pausedAt: null,
    pending: 1,
    failed: 2,
  };
  const attempt = { attemptedAt: AFTERNOON, durationMs: 12, statusCode: 500, failure: hostile };
  const delivery = {
    id: PUBLIC_CLIENT_ID,
    webhookId: PUBLIC_CLIENT_ID,
    eventId: hostile,
    type: 'payment.success' as const,
    status: 'pending' as const,
    createdAt: AFTERNOON,
    nextAttemptAt: AFTERNOON,
    attemptCount: 1,
    lastAttempt: attempt,
  };
  const snippet = { label: hostile, text: hostile };
  return {
    developerHome: developerHomePage({
      frame,
      baseUrl: hostile,
      apiKeys: 1,
      clients: 2,
      webhooks: 1,
      failingWebhooks: 1,
      communities: [{ id: hostile, name: hostile, role: 'OWNER' }],
    }),
    developerApiKeys: developerApiKeysPage({
      frame,
      keys: [{ ...apiKey, permissions }],
      revoked: [{ ...apiKey, permissions, revokedAt: AFTERNOON }],
      notice: hostile,
    }),
    developerNewApiKey: developerNewApiKeyPage({
      frame,
      submission: hostile,
      mayProvision: true,
      name: hostile,
      permissions: [hostile],
      errors,
    }),
    developerClients: developerClientsPage({ frame, clients: [client] }),
    developerClient: developerClientPage({
      frame,
      client,
      people: 2,
      obstacles: [hostile],
      snippets: [snippet],
    }),
    developerNewClient: developerClientFormPage({
      frame,
      fields,
      subject: { submission: hostile },
      hostedCallbackUri: hostile,
      errors,
    }),
    developerClientForm: developerClientFormPage({
      frame,
      fields,
      subject: { clientId: PUBLIC_CLIENT_ID, name: hostile },
      hostedCallbackUri: hostile,
    }),
    developerConfirm: confirmPage({
      frame,
      area: 'developer',
      sections: DEVELOPER_SECTIONS,
      section,
      title: `Delete ${hostile}?`,
      subject: hostile,
      consequences: [hostile],
      action: '/developer/clients/x/delete',
      submission: hostile,
      confirmation: { label: hostile, value: hostile },
      errors: [{ field: 'confirmation', message: hostile }],
      button: 'Delete',
      cancel: { href: section, label: 'Keep it' },
    }),
    developerSecret: developerSecretPage({
      frame,
      section,
      title: `Secret of ${hostile}`,
      subject: hostile,
      secretLabel: 'Secret',
      secret: hostile,
      lead: hostile,
      notes: [hostile],
      snippet,
      done: { href: section, label: 'Copied' },
    }),
    developerWebhooks: developerWebhooksPage({ frame, webhooks: [webhook] }),
    developerWebhook: developerWebhookPage({ frame, webhook, deliveries: [delivery], hasOlder: true }),
    developerNewWebhook: developerWebhookFormPage({
      frame,
      fields: { url: hostile, subject: hostile, rotateSecret: false },
      submission: hostile,
      of: { subjects: [{ value: hostile, label: hostile }] },
      errors: [{ field: 'url', message: hostile }],
    }),
    developerWebhookForm: developerWebhookFormPage({
      frame,
      fields: { url: hostile, subject: '', rotateSecret: true },
      submission: hostile,
      of: { id: PUBLIC_CLIENT_ID },
    }),
    developerDelivery: developerDeliveryPage({
      frame,
      delivery: { ...delivery, body: hostile, attempts: [attempt] },
    }),
  };
}
