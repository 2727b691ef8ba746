import { URL_MAX_LENGTH } from '@latchkey/contract/constants';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type AppUrl, publicMountPath, startPath } from '../http/app-url.js';
import { readBody } from '../http/request-body.js';
import { prefersHtml } from '../http/request-kind.js';
import { CHECKOUT_RETURN_PATH, safeAddress } from '../sign-in/return-to.js';
import type { CheckoutPlan } from './checkout-options.js';

/** Paths below `mountPath`. */
export const CHECKOUT_PATHS = {
  plans: '/plans',
  checkout: '/checkout',
  return: CHECKOUT_RETURN_PATH,
  cancelled: '/checkout/cancelled',
} as const;

export function checkoutPath(app: AppUrl): string {
  return `${publicMountPath(app)}${CHECKOUT_PATHS.checkout}`;
}

/** A purchase, as the query of the return page describes it. It affects waiting and wording, never access. */
export interface Returning {
  plan: CheckoutPlan;
  /** Path of the app. */
  returnTo: string;
  /** True if the buyer was a member of the community before. */
  wasMember: boolean;
  /** True if the checkout is bound to an email address that the visitor typed. */
  isTyped: boolean;
}

/** Returns the absolute URL for a buyer after a payment. */
export function returnUrl(app: AppUrl, returning: Returning): string {
  const { plan, returnTo, wasMember, isTyped } = returning;
  return pageUrl(app, CHECKOUT_PATHS.return, {
    plan: plan.id,
    returnTo,
    ...(wasMember ? { member: '1' } : {}),
    ...(isTyped ? { typed: '1' } : {}),
  });
}

/** Returns the absolute URL for a buyer who cancels. `offeredAt` is the path of the page that offered the plan. */
export function cancelledUrl(
  app: AppUrl,
  { plan, returnTo, offeredAt }: Pick<Returning, 'plan' | 'returnTo'> & { offeredAt: string },
): string {
  return pageUrl(app, CHECKOUT_PATHS.cancelled, { plan: plan.id, returnTo, from: offeredAt });
}

/** Reads the query of the return page or the cancelled page. Anyone can write it. */
export function readOrder(url: string, { app, plans }: { app: AppUrl; plans: readonly CheckoutPlan[] }) {
  const { searchParams: query } = new URL(url, app.appOrigin);
  const pageOf = (name: string) => pagePath(query.get(name), app) ?? startPath(app);
  return {
    plan: plans.find(({ id }) => id === query.get('plan')?.toLowerCase()),
    returnTo: pageOf('returnTo'),
    offeredAt: pageOf('from'),
    wasMember: query.has('member'),
    isTyped: query.has('typed'),
  };
}

/** The service limits the length of URLs. Pages that don't fit lose their query. If they still don't, the start page takes their place. */
function pageUrl(app: AppUrl, path: string, fields: Readonly<Record<string, string>>): string {
  const urlWithout = (part: RegExp) => {
    const query = Object.entries(fields).map(([name, value]) => [name, value.replace(part, '')]);
    return `${app.appOrigin}${publicMountPath(app)}${path}?${new URLSearchParams(query)}`;
  };
  const urls = [urlWithout(/^$/), urlWithout(/\?.*/)];
  return urls.find(({ length }) => length <= URL_MAX_LENGTH) ?? urlWithout(/^\/.*/);
}

const optionalText = z
  .string()
  .optional()
  .transform((text) => (text === '' ? undefined : text));

/** `returnTo`: page to return to after the payment. `email`: typed by the visitor, and only used for an account without one. */
const bodySchema = z.object({ plan: z.string().min(1), returnTo: optionalText, email: optionalText });

/** Reads the body of a form or JSON, unless one of the app's parsers already has. */
export async function readCheckoutRequest(
  request: Request,
  response: Response,
): ReturnType<typeof readBody<z.infer<typeof bodySchema>>> {
  const type = request.is(['application/json', 'application/x-www-form-urlencoded']);
  if (type === false || type === null) {
    return {
      kind: 'invalid',
      message: 'Send plan as a form (application/x-www-form-urlencoded) or as JSON.',
    };
  }
  return readBody(request, response, bodySchema);
}

/** True for a script: it sends JSON, or doesn't prefer HTML. */
export function isScript(request: Request): boolean {
  return request.is('application/json') === 'application/json' || !prefersHtml(request);
}

/** Returns the path of the page that sent the request, if the browser says so and the page is in this app. */
export function sendingPage(request: Request, app: AppUrl): string | undefined {
  const referrer = request.headers.referer;
  if (referrer === undefined || !URL.canParse(referrer)) return undefined;
  const { origin, pathname, search } = new URL(referrer);
  return origin === app.appOrigin ? pagePath(`${pathname}${search}`, app) : undefined;
}

/** Returns the path and query of a page of the app outside `mountPath`, or undefined for everything else. */
export function pagePath(wanted: unknown, app: AppUrl): string | undefined {
  const path = safeAddress(wanted, app)?.slice(app.appOrigin.length);
  return path?.startsWith(`${publicMountPath(app)}/`) === true ? undefined : path;
}
