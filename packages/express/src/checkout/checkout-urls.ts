import { URL_MAX_LENGTH } from '@latchkey/contract/constants';
import { type AppUrl, publicMountPath, startPath } from '../http/app-url.js';
import { CHECKOUT_RETURN_PATH } from '../sign-in/return-to.js';
import type { CheckoutPlan } from './checkout-plan.js';
import { pagePath } from './read-checkout-request.js';

/** Paths below `mountPath`. */
export const CHECKOUT_PATHS = {
  plans: '/plans',
  checkout: '/checkout',
  return: CHECKOUT_RETURN_PATH,
  cancelled: '/checkout/cancelled',
} as const;

/** Path of the endpoint that opens a checkout. */
export function checkoutPath(app: AppUrl): string {
  return `${publicMountPath(app)}${CHECKOUT_PATHS.checkout}`;
}

/** Purchase, as the query of the return page describes it. It affects waiting and texts, never access. */
export interface Returning {
  plan: CheckoutPlan;
  /** Path of the app. */
  returnTo: string;
  /** True if the buyer was a member of the community before. */
  wasMember: boolean;
  /** True if the checkout is bound to an address that the visitor typed. */
  isTyped: boolean;
}

/** Absolute URL for a buyer after a payment. */
export function returnUrl(app: AppUrl, returning: Returning): string {
  const { plan, returnTo, wasMember, isTyped } = returning;
  return pageUrl(app, CHECKOUT_PATHS.return, {
    plan: plan.id,
    returnTo,
    ...(wasMember ? { member: '1' } : {}),
    ...(isTyped ? { typed: '1' } : {}),
  });
}

/** Order, as the query of the cancelled page describes it. */
export interface CancelledOrder {
  plan: CheckoutPlan;
  /** Page to return to after a payment: a path of the app. */
  returnTo: string;
  /** Page that offered the plan: a path of the app. */
  offeredAt: string;
}

/** Absolute URL for a buyer who cancels. */
export function cancelledUrl(app: AppUrl, { plan, returnTo, offeredAt }: CancelledOrder): string {
  return pageUrl(app, CHECKOUT_PATHS.cancelled, { plan: plan.id, returnTo, from: offeredAt });
}

interface QueryContext {
  app: AppUrl;
  plans: readonly CheckoutPlan[];
}

/** Reads the query of the return page. Everybody can write it. */
export function readReturning(
  url: string,
  { app, plans }: QueryContext,
): Omit<Returning, 'plan'> & { plan: CheckoutPlan | undefined } {
  const query = queryOf(url, app);
  return {
    plan: planOf(query, plans),
    returnTo: pageOf(query, 'returnTo', app),
    wasMember: query.has('member'),
    isTyped: query.has('typed'),
  };
}

/** Reads the query of the cancelled page. Everybody can write it. */
export function readCancelled(
  url: string,
  { app, plans }: QueryContext,
): Omit<CancelledOrder, 'plan'> & { plan: CheckoutPlan | undefined } {
  const query = queryOf(url, app);
  return {
    plan: planOf(query, plans),
    returnTo: pageOf(query, 'returnTo', app),
    offeredAt: pageOf(query, 'from', app),
  };
}

function queryOf(url: string, { appOrigin }: AppUrl): URLSearchParams {
  return new URL(url, appOrigin).searchParams;
}

function planOf(query: URLSearchParams, plans: readonly CheckoutPlan[]): CheckoutPlan | undefined {
  return plans.find(({ id }) => id === query.get('plan')?.toLowerCase());
}

function pageOf(query: URLSearchParams, name: string, app: AppUrl): string {
  return pagePath(query.get(name), app) ?? startPath(app);
}

/** The service accepts URLs up to a limit. Pages that do not fit are replaced by the start page. */
function pageUrl(app: AppUrl, path: string, fields: Readonly<Record<string, string>>): string {
  const { returnTo: _returnTo, from: _from, ...short } = fields;
  const urlWith = (query: Readonly<Record<string, string>>) =>
    `${app.appOrigin}${publicMountPath(app)}${path}?${new URLSearchParams(query)}`;
  const url = urlWith(fields);
  return url.length <= URL_MAX_LENGTH ? url : urlWith(short);
}
