import { randomUUID } from 'node:crypto';
import type { EndpointName } from '@latchkey/contract/constants';
import type { Answer, ServiceRequest } from '../record/service-exchange.js';
import { failureInside, rejection, success } from './answers.js';

/** Endpoints with an API key. */
export const API_KEY_ENDPOINTS = [
  'provisionExternal',
  'inviteLink',
  'checkMessenger',
  'buyPlan',
  'dropSignup',
] as const satisfies readonly EndpointName[];

/** True for an endpoint that requires an API key. */
export function isApiKeyEndpoint(endpoint: EndpointName | undefined): boolean {
  return (API_KEY_ENDPOINTS as readonly (EndpointName | undefined)[]).includes(endpoint);
}

const DAY_MS = 24 * 3600_000;

/** Orders that were provisioned, by `externalOrderId`. */
export type Orders = Map<string, { readonly membershipId: string; readonly userId: string }>;

/** Answers a request with an API key as the specification says for a success. */
export function apiKeyAnswer(
  request: ServiceRequest,
  { apiKey, orders }: { apiKey: string; orders: Orders },
): Answer {
  const given = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given !== apiKey) return rejection(401, request);
  switch (request.endpoint) {
    case 'provisionExternal':
      return provisioned(request, orders);
    case 'checkMessenger':
      return success(200, { isActive: true, membershipId: randomUUID() });
    case 'inviteLink':
      return inviteLink(DAY_MS);
    case 'buyPlan':
      return request.fields.email === undefined
        ? failureInside(201, 'email is required')
        : success(201, { checkoutUrl: `https://pay.card-provider.example/c/${randomUUID()}?lang=en` });
    default:
      return dropSignup();
  }
}

/** Returns an invite link that expires after a time in milliseconds. */
export function inviteLink(lifetimeMs: number): Answer {
  return success(200, {
    link: `https://messenger.example/+${randomUUID()}`,
    expiresAt: new Date(Date.now() + lifetimeMs).toISOString(),
  });
}

/** Returns a drop signup with changes of its slot. */
export function dropSignup(slot: object = {}, data: object = {}): Answer {
  const dropSlotInfo = {
    ...{ id: 'slot-1', slots: 100, slotsUsed: 1, availableSlots: 99, isCurrentlyActive: true },
    ...{ startsAt: '2026-01-01T00:00:00.000Z', endsAt: null, dropNotification: null, ...slot },
  };
  return success(201, { signedUp: true, hasExistingAccount: false, dropSlotInfo, ...data });
}

function provisioned(request: ServiceRequest, orders: Orders): Answer {
  const { externalOrderId, validUntil } = request.fields;
  if (typeof externalOrderId !== 'string' || externalOrderId === '' || validUntil === null) {
    return rejection(400, request);
  }
  const known = orders.get(externalOrderId);
  const order = known ?? { membershipId: randomUUID(), userId: randomUUID() };
  orders.set(externalOrderId, order);
  return success(200, {
    ...order,
    validFrom: new Date().toISOString(),
    validUntil: typeof validUntil === 'string' ? new Date(validUntil).toISOString() : null,
    status: known === undefined ? 'created' : 'idempotent_return',
  });
}
