import type { FakeRequest } from '../messages/fake-request.js';
import { isSameId, type Reservation } from '../state/world.js';
import { rejectRole } from './api-key-access.js';
import {
  fieldsOf,
  isText,
  isUrl,
  isUuid,
  normalizedEmail,
  optional,
  rejectFields,
} from './api-key-fields.js';
import type { EndpointContext } from './endpoint-context.js';
import { completePayment } from './memberships-of-sales.js';
import { respondSuccess } from './respond.js';

const CHECKOUT_PATH = /^\/pay\/([^/]+)(?:\/(pay|cancel))?$/;

/** `POST /api/checkout/buy-plan` */
export function buyPlan(request: FakeRequest, context: EndpointContext): Response {
  const rejected = rejectFields(request, context, {
    pricingPlanId: isUuid,
    communityId: isUuid,
    externalId: isText,
    successUrl: isUrl,
    cancelUrl: isUrl,
    utmSource: optional((value) => isText(value) && String(value).length <= 100),
  });
  if (rejected !== undefined) return rejected;
  const { pricingPlanId, communityId, externalId, successUrl, cancelUrl, utmSource, ...rest } =
    fieldsOf(request);
  const forbidden = rejectRole(request, context, String(communityId));
  if (forbidden !== undefined) return forbidden;
  const { reading, world } = context;
  const email = normalizedEmail(rest.email);
  if (email === undefined) {
    return reading.json({ success: false, message: reading.messages.missingEmail }, 201);
  }
  const plan = world.findPlan(String(pricingPlanId));
  // A success without `checkoutUrl` (specification, "Failures inside 2xx").
  if (plan === undefined || !isSameId(plan.communityId, String(communityId))) {
    return reading.json({ success: true, data: {} }, 201);
  }
  const reservation: Reservation = {
    ...{ id: world.newId(), externalId: String(externalId), plan, user: world.resolveUser({ email }) },
    ...{ successUrl: String(successUrl), cancelUrl: String(cancelUrl) },
    utmSource: utmSource === undefined ? null : String(utmSource),
    record: undefined,
  };
  world.reservations.push(reservation);
  const url = new URL(`/pay/${reservation.id}`, context.baseUrl());
  url.hostname = reading.checkoutHostname ?? url.hostname;
  return respondSuccess(context, { status: 201, data: { checkoutUrl: url.href } });
}

/** The page of the payment provider, and its two buttons. Undefined for other paths. */
export function checkoutPage({ method, path }: FakeRequest, context: EndpointContext): Response | undefined {
  const [, id, action] = CHECKOUT_PATH.exec(path) ?? [];
  const reservation = context.world.reservations.find((each) => each.id === id);
  if (reservation === undefined) return undefined;
  if (action === undefined && method === 'GET') return page(reservation);
  if (method !== 'POST') return undefined;
  if (action === 'pay') completePayment(context, reservation);
  const { successUrl, cancelUrl } = reservation;
  const location = action === 'pay' ? context.reading.returnUrl(successUrl, reservation) : cancelUrl;
  return new Response(null, { status: 303, headers: { location } });
}

function page({ id }: Reservation): Response {
  const form = (action: string, label: string) =>
    `<form method="post" action="/pay/${id}/${action}"><button>${label}</button></form>`;
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Checkout</title>
<h1>Checkout</h1>${form('pay', 'Pay')}${form('cancel', 'Cancel')}</html>`;
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}
