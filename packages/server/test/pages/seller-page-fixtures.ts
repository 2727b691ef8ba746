import { sellerBrandPage } from '../../src/features/brand/brand.pages.js';
import { sellerPaymentPage } from '../../src/features/checkout/payment.pages.js';
import { sellerSalesPage } from '../../src/features/checkout/sales.pages.js';
import { NEW_COMMUNITY, sellerCommunityPage } from '../../src/features/communities/communities.pages.js';
import { NEW_ROLE, sellerRolesPage } from '../../src/features/communities/roles.pages.js';
import { closeCommunityPage } from '../../src/features/community-closing/close-community.pages.js';
import { NEW_DROP, sellerDropPage, sellerDropsPage } from '../../src/features/drops/drops.pages.js';
import { NEW_MEMBER, sellerMembersPage } from '../../src/features/memberships/members.pages.js';
import { sellerMembershipPage } from '../../src/features/memberships/membership.pages.js';
import { type NewPricingPlan, planResource } from '../../src/features/plans/plan.resource.js';
import { NEW_PLAN, planForm, sellerPlanPage, sellerPlansPage } from '../../src/features/plans/plans.pages.js';
import {
  NEW_PRODUCT,
  productBuyersPage,
  sellerProductPage,
} from '../../src/features/products/products.pages.js';
import { sellerHomePage } from '../../src/features/seller/seller.routes.js';
import { newPage } from '../../src/web/kit/areas/seller-area.js';
import type { Page } from '../../src/web/kit/frame/send-page.js';

/** 12 June 2026, 14:05 UTC. */
const AFTERNOON = Date.UTC(2026, 5, 12, 14, 5);

const MANY = { count: 10_000, hasMore: true };
const COUNTS = { all: MANY, active: MANY, ending: MANY, ended: MANY };
const FIGURES = {
  members: MANY,
  plansForSale: 2,
  revenue: [{ priceMinor: 900, currency: 'EUR' }],
  hasMoreRevenue: true,
};

/** Every page of the seller area, with `hostile` in every text that a user writes. */
export function everySellerPageWith(hostile: string): Record<string, Page> {
  return {
    ...communityPagesWith(hostile),
    ...planPagesWith(hostile),
    ...dropPagesWith(hostile),
    ...memberPagesWith(hostile),
    ...productPagesWith(hostile),
  };
}

/** Properties that several pages share. */
function propsWith(hostile: string) {
  const frame = { user: { email: hostile, name: hostile }, account: hostile };
  const community = { id: hostile, name: hostile, role: 'OWNER' } as const;
  return {
    frame,
    community,
    product: {
      id: hostile,
      name: hostile,
      slug: hostile,
      type: 'ebook',
      description: hostile,
      priceMinor: null,
      currency: 'EUR',
    } as const,
    errors: (field: string) => [{ field, message: hostile }],
    list: { now: AFTERNOON, notice: hostile },
    inCommunity: { frame, community, notice: hostile },
  };
}

function membershipWith(hostile: string) {
  return {
    id: hostile,
    email: hostile,
    name: hostile,
    messengerUserId: 1001,
    isDeleted: false,
    validFrom: AFTERNOON,
    validUntil: AFTERNOON,
    planName: hostile,
    hasSubscription: true,
    isRenewing: false,
    renewsAt: AFTERNOON,
    planChangesAt: AFTERNOON,
    subscriptionCancelledAt: AFTERNOON,
    externalOrderId: hostile,
  };
}

function invitationsWith(hostile: string) {
  const invitation = {
    id: hostile,
    email: hostile,
    role: null,
    validUntil: AFTERNOON,
    createdAt: AFTERNOON,
    expiresAt: AFTERNOON,
    declinedAt: null,
  } as const;
  const role = 'ADMIN' as const;
  return {
    rows: [invitation, { ...invitation, id: 'declined', role, declinedAt: AFTERNOON }],
    next: hostile,
    isFirst: false,
  };
}

function salesWith(hostile: string) {
  return {
    rows: (['succeeded', 'failed'] as const).map((status) => ({
      id: status,
      email: hostile,
      name: hostile,
      isDeleted: false,
      planName: hostile,
      status,
      reason: hostile,
      amountMinor: 900,
      currency: 'EUR',
      utmSource: hostile,
      ...{ refundedMinor: 0, dispute: null, provider: hostile, reference: hostile, orderId: hostile },
      ...{ planId: hostile, productId: null },
      createdAt: AFTERNOON,
    })),
    next: hostile,
    isFirst: false,
  };
}

function communityPagesWith(hostile: string): Record<string, Page> {
  const { frame, community, product, errors, inCommunity } = propsWith(hostile);
  return {
    sellerHome: sellerHomePage({
      frame,
      communities: { rows: [{ ...community, figures: FIGURES }], next: hostile, isFirst: false },
      products: { rows: [product], next: hostile, isFirst: false },
      now: AFTERNOON,
      notice: hostile,
    }),
    newCommunity: newPage(NEW_COMMUNITY, {
      frame,
      values: { name: hostile },
      submission: hostile,
      errors: errors('name'),
    }),
    sellerCommunity: sellerCommunityPage({
      ...inCommunity,
      ...{ baseUrl: hostile, figures: FIGURES, now: AFTERNOON, name: hostile, botName: hostile },
    }),
    closeCommunity: closeCommunityPage({
      ...inCommunity,
      ...{ affected: { members: 1200, renewing: 1 }, typed: hostile, errors: errors('confirmation') },
    }),
    sellerBrand: sellerBrandPage({
      ...inCommunity,
      values: { logoUrl: hostile, accentChoice: 'own', accent: hostile },
      errors: [...errors('logoUrl'), ...errors('accent')],
    }),
    sellerRoles: sellerRolesPage({
      ...inCommunity,
      baseUrl: hostile,
      roles: {
        rows: [
          { userId: 'one', email: hostile, name: hostile, role: 'OWNER', isActive: true },
          { userId: 'two', email: hostile, name: null, role: 'ADMIN', isActive: true },
          { userId: 'three', email: null, name: null, role: 'OWNER', isActive: false },
        ],
        next: hostile,
        isFirst: false,
      },
      hasOneOwner: true,
      invitations: invitationsWith(hostile),
      errors: errors('role-one'),
    }),
    newRole: newPage(NEW_ROLE, {
      ...inCommunity,
      values: { email: hostile, role: 'ADMIN' },
      submission: hostile,
      errors: errors('email'),
    }),
    sellerSales: sellerSalesPage({ ...inCommunity, sales: salesWith(hostile) }),
    sellerPayment: sellerPaymentPage({
      ...inCommunity,
      payment: paymentWith(hostile),
      refunds: (['pending', 'refunded', 'failed'] as const).map((status) => ({
        ...{ id: status, payment_id: 'payment', amount_minor: 100, refunded_before: 0 },
        ...{ status, reason: hostile, created_at: AFTERNOON, try_at: AFTERNOON },
      })),
      ...{ obstacle: undefined, path: '/payment', amount: hostile, submission: hostile },
      errors: errors('amount'),
    }),
  };
}

function paymentWith(hostile: string) {
  return {
    ...{ id: hostile, reservation_id: null, user_id: 'user', community_id: 'community', product_id: null },
    ...{
      pricing_plan_id: null,
      status: 'succeeded' as const,
      reason: hostile,
      amount_minor: 900,
      currency: 'EUR',
    },
    ...{ utm_source: null, created_at: AFTERNOON, order_id: hostile, provider: hostile, reference: hostile },
    ...{ refunded_minor: 100, refunded_at: null, dispute: null, disputed_at: null, look_up_at: null },
  } as const;
}

/** Every text of a plan, those of new fields too. */
export function planTextsWith(hostile: string) {
  const texts = planResource.fields.flatMap(({ name, kind }) =>
    kind === 'list'
      ? [[name, [hostile, hostile]]]
      : kind === 'text' && name !== 'currency'
        ? [[name, hostile]]
        : [],
  );
  return Object.fromEntries(texts) as Omit<
    NewPricingPlan,
    'priceMinor' | 'currency' | 'periodDays' | 'renews' | 'provider'
  >;
}

/** A sent form with the same text in each field, besides those given. */
function formWith(empty: object, hostile: string, given: Readonly<Record<string, string>> = {}) {
  const fields = Object.keys(empty).map((name) => [name, hostile]);
  return new URLSearchParams({ ...Object.fromEntries(fields), ...given });
}

function planPagesWith(hostile: string): Record<string, Page> {
  const { errors, inCommunity } = propsWith(hostile);
  const plan = {
    ...planTextsWith(hostile),
    id: hostile,
    communityId: hostile,
    priceMinor: 900,
    currency: 'EUR',
    periodDays: 30,
    renews: true,
    provider: 'card',
    archivedAt: null,
  } as const;
  return {
    sellerPlans: sellerPlansPage({
      ...inCommunity,
      plans: { rows: [plan], next: hostile, isFirst: false },
      archived: {
        rows: [{ ...plan, id: 'archived', archivedAt: AFTERNOON }],
        next: hostile,
        isFirst: false,
      },
    }),
    newPlan: newPage(NEW_PLAN, {
      ...inCommunity,
      submission: hostile,
      values: NEW_PLAN.form.read(formWith(NEW_PLAN.form.empty, hostile, { renews: 'on', provider: 'card' })),
      errors: errors('price'),
    }),
    sellerPlan: sellerPlanPage({
      ...inCommunity,
      plan,
      values: planForm('EUR').read(formWith(NEW_PLAN.form.empty, hostile)),
    }),
  };
}

function dropPagesWith(hostile: string): Record<string, Page> {
  const { errors, inCommunity, list } = propsWith(hostile);
  const drop = {
    id: hostile,
    communityId: hostile,
    name: hostile,
    slots: 3,
    slotsUsed: 1,
    startsAt: AFTERNOON,
    endsAt: null,
  };
  const dropFields = { name: hostile, slots: hostile, startsAt: AFTERNOON, endsAt: null };
  return {
    sellerDrops: sellerDropsPage({
      ...inCommunity,
      drops: {
        rows: [
          drop,
          { ...drop, id: 'upcoming', startsAt: AFTERNOON + 1 },
          { ...drop, id: 'ended', startsAt: 0, endsAt: 1 },
        ],
        next: hostile,
        isFirst: false,
      },
      now: AFTERNOON,
    }),
    newDrop: newPage(NEW_DROP, {
      ...inCommunity,
      values: dropFields,
      submission: hostile,
      errors: errors('slots'),
    }),
    sellerDrop: sellerDropPage({
      ...inCommunity,
      ...list,
      drop,
      values: dropFields,
      signups: {
        rows: [{ email: hostile, phoneNumber: hostile, createdAt: AFTERNOON }],
        next: hostile,
        isFirst: false,
      },
    }),
  };
}

function memberPagesWith(hostile: string): Record<string, Page> {
  const { errors, inCommunity, list } = propsWith(hostile);
  const membership = membershipWith(hostile);
  return {
    sellerMembers: sellerMembersPage({
      ...inCommunity,
      ...list,
      baseUrl: hostile,
      invitations: invitationsWith(hostile),
      memberships: { rows: [membership], next: hostile, isFirst: true },
      counts: COUNTS,
      status: undefined,
      search: '',
    }),
    newMember: newPage(NEW_MEMBER, {
      ...inCommunity,
      values: { email: hostile, validFrom: AFTERNOON, validUntil: AFTERNOON },
      submission: hostile,
      errors: errors('email'),
    }),
    sellerMemberSearch: sellerMembersPage({
      ...inCommunity,
      ...list,
      baseUrl: hostile,
      invitations: invitationsWith(hostile),
      memberships: { rows: [], next: undefined, isFirst: true },
      counts: undefined,
      status: 'ended',
      search: hostile,
    }),
    sellerMembership: sellerMembershipPage({
      ...inCommunity,
      membership: { ...membership, validUntil: null },
      following: [{ planName: hostile, startsAt: AFTERNOON, endsAt: AFTERNOON }],
      payments: salesWith(hostile).rows,
      values: { endsAt: AFTERNOON, forLife: true },
      now: AFTERNOON,
    }),
    sellerSubscriber: sellerMembershipPage({
      ...inCommunity,
      membership: {
        ...membership,
        name: null,
        email: `${hostile}2`,
        subscriptionCancelledAt: null,
        isRenewing: true,
      },
      following: [{ planName: hostile, startsAt: AFTERNOON, endsAt: AFTERNOON }],
      payments: salesWith(hostile).rows,
      values: { endsAt: AFTERNOON, forLife: true },
      now: AFTERNOON,
    }),
  };
}

function productPagesWith(hostile: string): Record<string, Page> {
  const { frame, product, errors, list } = propsWith(hostile);
  const productFields = {
    ...{ name: hostile, slug: hostile, type: hostile, description: hostile },
    ...{ price: hostile, currency: hostile },
  };
  return {
    newProduct: newPage(NEW_PRODUCT, {
      frame,
      values: productFields,
      submission: hostile,
      errors: errors('slug'),
    }),
    sellerProduct: sellerProductPage({
      frame,
      product,
      baseUrl: hostile,
      values: productFields,
      notice: hostile,
    }),
    productBuyers: productBuyersPage({
      ...list,
      frame,
      product,
      buyers: { rows: [membershipWith(hostile)], next: hostile, isFirst: false },
    }),
    productSales: sellerSalesPage({ frame, product, sales: salesWith(hostile) }),
  };
}
