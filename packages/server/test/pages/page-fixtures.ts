import { accountPage } from '../../src/features/account/account.pages.js';
import {
  accountDeletedPage,
  deleteAccountPage,
} from '../../src/features/account-deletion/delete-account.pages.js';
import { accountPaymentsPage } from '../../src/features/checkout/sales.pages.js';
import {
  confirmEmailPage,
  emailPage,
  undoEmailChangePage,
} from '../../src/features/email-change/email-change.pages.js';
import { consentPage } from '../../src/features/oauth/consent.pages.js';
import { referencePage } from '../../src/features/reference/reference.routes.js';
import { accountSessionsPage } from '../../src/features/sessions/sessions.pages.js';
import { signInCodePage } from '../../src/features/sign-in/enter-code.pages.js';
import { secondStepPage } from '../../src/features/sign-in/second-step.routes.js';
import { signInPage } from '../../src/features/sign-in/sign-in.pages.js';
import { signedOutPage } from '../../src/features/sign-in/sign-in.routes.js';
import { checkoutPage } from '../../src/features/storefront/checkout.pages.js';
import { communityPage } from '../../src/features/storefront/community.pages.js';
import { checkoutPaidPage } from '../../src/features/storefront/paid.pages.js';
import { productPage } from '../../src/features/storefront/product.pages.js';
import {
  recoveryCodesPage,
  secondFactorPage,
  twoStepPage,
} from '../../src/features/two-step/two-step.pages.js';
import { twoStepSetupPage } from '../../src/features/two-step/two-step.routes.js';
import { exportDataPage } from '../../src/features/user-export/user-export.pages.js';
import { accountProfilePage } from '../../src/features/users/profile.pages.js';
import { widgetCallbackPage } from '../../src/features/widget/widget.routes.js';
import type { AreaFrame } from '../../src/web/kit/frame/area-page.js';
import { messagePage } from '../../src/web/kit/frame/message-page.js';
import type { Page } from '../../src/web/kit/frame/send-page.js';
import { developerPagesWith } from './developer-page-fixtures.js';
import { operatorPagesWith } from './operator-page-fixtures.js';
import { everySellerPageWith, planTextsWith } from './seller-page-fixtures.js';

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
  const frame = { user: { email: hostile, name: hostile }, account: hostile };
  return {
    ...signInPagesWith(hostile),
    ...accountPagesWith(hostile, frame),
    ...developerPagesWith(hostile, frame),
    ...operatorPagesWith(hostile, { ...frame, isOperator: true }),
    ...storefrontPagesWith(hostile),
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

function signInPagesWith(hostile: string): Record<string, Page> {
  const client = { name: hostile, description: hostile, logoUrl: hostile };
  const user = { email: hostile, name: hostile };
  const people = {
    heading: hostile,
    action: '/pick',
    list: [{ email: hostile, name: hostile, note: hostile, group: hostile }],
  };
  const inbox = { name: hostile, href: '/inbox' };
  return {
    signIn: signInPage({
      client,
      service: { name: hostile, logoUrl: hostile },
      receiver: hostile,
      continueTo: hostile,
      email: hostile,
      error: hostile,
      people,
      inbox,
    }),
    undoEmailChange: undoEmailChangePage(hostile),
    signInAccounts: signInPage({
      client,
      service: { name: hostile, logoUrl: hostile },
      receiver: hostile,
      continueTo: hostile,
      accounts: [
        { id: hostile, email: hostile, name: `${hostile} Name`, isCurrent: true },
        { id: 'other', email: hostile, name: null, isCurrent: false },
      ],
    }),
    signInCode: signInCodePage({
      reference: 'KLMN',
      client,
      email: hostile,
      service: { name: hostile, logoUrl: hostile },
      continueTo: hostile,
      error: hostile,
      inbox,
    }),
    secondStep: secondStepPage({
      client,
      service: { name: hostile, logoUrl: hostile },
      email: hostile,
      method: 'app',
      continueTo: hostile,
      error: hostile,
      authenticator: inbox,
    }),
    secondStepRecovery: secondStepPage({
      service: { name: hostile, logoUrl: hostile },
      email: hostile,
      method: 'recovery-code',
      continueTo: hostile,
      error: hostile,
    }),
    consent: consentPage({
      client,
      user,
      scopes: ['memberships.read', 'products.read'],
      service: { name: hostile, logoUrl: hostile },
      isVerified: false,
      receiver: hostile,
      closesWindow: false,
      query: { state: hostile, [hostile]: hostile },
      account: hostile,
      shown: hostile,
      last: {
        allowedAt: AFTERNOON,
        changes: [
          { kind: 'name', was: hostile },
          ...(['look', 'verification', 'receiver', 'redirect-uri', 'scopes'] as const).map((kind) => ({
            kind,
          })),
        ],
      },
    }),
  };
}

function deletionPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const none = {
    communities: [],
    products: [],
    clients: [],
    apiKeys: [],
    isCharged: false,
    isOnlyAdmin: false,
  };
  const owned = [{ id: hostile, name: hostile }];
  const errors = ['email', 'code'].map((field) => ({ field, message: hostile }));
  return {
    accountDeleted: accountDeletedPage(),
    changeEmail: emailPage({ frame, proof: 'code', email: hostile, errors }),
    changeEmailAfterSignIn: emailPage({ frame, proof: 'sign-in', email: '' }),
    confirmEmail: confirmEmailPage({ frame, email: hostile, inbox: { name: hostile, href: '/inbox' } }),
    deleteAccount: deleteAccountPage({ frame, obstacles: none, proof: 'code', email: hostile, errors }),
    deleteAccountAfterSignIn: deleteAccountPage({ frame, obstacles: none, proof: 'sign-in', email: '' }),
    deleteAccountLater: deleteAccountPage({
      frame,
      obstacles: {
        ...{
          communities: owned,
          products: owned,
          clients: owned,
          apiKeys: owned,
          isCharged: true,
          isOnlyAdmin: true,
        },
      },
      proof: 'none',
      email: '',
    }),
  };
}

function accountPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const membership = {
    id: PUBLIC_CLIENT_ID,
    name: hostile,
    productType: 'digital_product' as const,
    planName: hostile,
    validFrom: AFTERNOON,
    validUntil: AFTERNOON,
    planChangesAt: AFTERNOON,
    renewsAt: AFTERNOON,
    isRenewing: true,
  };
  return {
    account: accountPage({
      frame,
      active: [membership],
      upcoming: [membership],
      expired: [membership],
      later: [{ id: 'next', name: hostile, planName: hostile, startsAt: AFTERNOON, endsAt: AFTERNOON }],
      invitations: [
        { id: 'role', communityName: hostile, senderEmail: hostile, role: 'OWNER', validUntil: null },
        {
          id: 'membership',
          communityName: hostile,
          senderEmail: null,
          role: null,
          validUntil: AFTERNOON,
        },
      ],
      next: hostile,
      roles: {
        rows: [{ id: hostile, name: hostile, role: 'OWNER', is_active: 0 }],
        next: hostile,
        isFirst: false,
      },
      apps: {
        rows: [{ clientId: hostile, name: hostile, logoUrl: hostile, scopes: [], grantedAt: AFTERNOON }],
        next: hostile,
        isFirst: false,
      },
      isFirst: false,
      notice: hostile,
    }),
    accountProfile: accountProfilePage({
      frame,
      name: hostile,
      notice: hostile,
      errors: [{ field: 'name', message: hostile }],
    }),
    ...deletionPagesWith(hostile, frame),
    exportData: exportDataPage({ frame, proof: 'code', errors: [{ field: 'code', message: hostile }] }),
    exportDataAfterSignIn: exportDataPage({ frame, proof: 'sign-in' }),
    accountPayments: accountPaymentsPage({
      frame,
      payments: {
        rows: [0, 300, 900].map((refundedMinor) => ({
          ...{ id: `${refundedMinor}`, planName: hostile, productName: null, communityName: hostile },
          ...{ status: 'succeeded', reason: null, amountMinor: 900, refundedMinor, currency: 'EUR' },
          ...{ createdAt: AFTERNOON, dispute: null },
        })),
        ...{ next: hostile, isFirst: false },
      },
    }),
    accountSessions: accountSessionsPage({
      frame,
      sessions: [true, false].map((isCurrent) => ({
        id: `session ${isCurrent}`,
        browser: hostile,
        network: hostile,
        createdAt: AFTERNOON,
        lastUsedAt: AFTERNOON,
        expiresAt: AFTERNOON,
        isCurrent,
      })),
      hasMore: true,
      apps: 1,
      notice: hostile,
    }),
    ...twoStepPagesWith(hostile, frame),
  };
}

function twoStepPagesWith(hostile: string, frame: AreaFrame): Record<string, Page> {
  const errors = [{ field: 'code', message: hostile }];
  return {
    twoStep: twoStepPage({
      frame,
      onSince: null,
      recoveryCodesLeft: 0,
      mustSignInAgain: false,
      notice: hostile,
    }),
    twoStepSetup: twoStepSetupPage({
      frame,
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      address: 'otpauth://totp/Latchkey:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      qrCode: [[true, false]],
      endsOtherSessions: true,
      errors,
      authenticator: { name: hostile, href: '/inbox' },
    }),
    recoveryCodes: recoveryCodesPage(frame, [hostile], true),
    turnOffTwoStep: secondFactorPage(frame, 'turn-off', errors),
    newRecoveryCodes: secondFactorPage(frame, 'recovery-codes', errors),
  };
}

function storefrontPagesWith(hostile: string): Record<string, Page> {
  const texts = planTextsWith(hostile);
  const terms = { amountMinor: 900, currency: 'EUR', periodDays: 30, renews: true };
  const nextPayment = { at: AFTERNOON, amountMinor: 900, currency: 'EUR' };
  const checkout = {
    order: {
      ...texts,
      ...terms,
      seller: { name: hostile, logoUrl: hostile },
      buyer: hostile,
      subject: { kind: 'plan', planId: 'plan', communityId: 'community' } as const,
      outlook: {
        ...{ startsAt: AFTERNOON, endsAt: AFTERNOON, nextPaymentAt: AFTERNOON, stopsRenewal: true },
        ...{ resumes: { name: hostile, at: AFTERNOON, endsAt: AFTERNOON }, pauses: [hostile, hostile] },
      },
    },
    action: '/checkout/card/x/pay',
    terms: hostile,
    methods: [{ id: 'one', name: hostile, note: hostile }],
    cancelUrl: `https://shop.example/?from=${encodeURIComponent(hostile)}`,
    chosen: hostile,
    error: hostile,
    notice: hostile,
    disclaimer: hostile,
    accent: hostile,
  };
  const signInHref = '/sign-in?continue=%2Fproducts';
  return {
    checkoutCard: checkoutPage(checkout),
    checkoutCrypto: checkoutPage({ ...checkout, transfer: [{ label: hostile, value: hostile }] }),
    checkoutPaid: checkoutPaidPage({
      checkout: {
        offer: {
          ...texts,
          ...terms,
          subject: { kind: 'plan', planId: 'p', communityId: 'c' },
          seller: hostile,
          paidBy: 'card',
        },
        successUrl: checkout.cancelUrl,
      },
      ...{ accent: hostile, isOwnPage: true, goesOn: true },
      receipt: {
        ...{ amountMinor: 900, refundedMinor: 300, currency: 'EUR', mailedTo: hostile },
        access: { endsAt: AFTERNOON, nextPayment },
      },
    }),
    product: productPage({
      id: 'p',
      name: hostile,
      seller: hostile,
      type: hostile,
      description: hostile,
      price: { amountMinor: 1_900, currency: 'EUR' },
      visitor: { account: hostile, access: { until: AFTERNOON } },
      signInHref,
    }),
    community: communityPage({
      id: 'c',
      brand: { name: hostile, logoUrl: hostile, accent: null },
      plans: [{ ...texts, ...terms, id: hostile, paidBy: 'crypto', isCovered: false }],
      isFirst: false,
      next: hostile,
      visitor: {
        account: hostile,
        held: { planId: null, planName: hostile, endsAt: AFTERNOON, nextPayment },
      },
      signInHref,
    }),
  };
}
