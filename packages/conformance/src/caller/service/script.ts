import { randomUUID } from 'node:crypto';
import { type EndpointName, jsonOf } from '@latchkey/contract/constants';
import type { FakeRequest, RecordedRequest } from '../../scripted-service/request.js';
import { ENDPOINT_OF } from '../record/caller-profile.js';
import type { Answer } from '../record/recording.js';

/** Part of every `message` and `error_description`. An app that shows it shows its users a message for developers. */
export const MESSAGE_MARKER = 'conformance-message-for-developers';

/** Correlation key of every failure with a trace id. */
export const CORRELATION_KEY = 'c0f0ab1ec0f0ab1ec0f0ab1ec0f0ab1e';

/** They're the same in every run, so an app is configured only once. No real service accepts them. */
export const SCRIPTED_IDS = {
  communityId: 'c0f0c0f0-0000-4000-8000-0000000000c0',
  pricingPlanId: 'c0f0c0f0-0000-4000-8000-0000000000d0',
  /** Membership of every member who signs in. */
  membershipId: 'c0f0c0f0-0000-4000-8000-0000000000a0',
  confidentialClientId: `oac_${'c0f0'.repeat(6)}`,
  clientSecret: `ocs_${'c0f0'.repeat(12)}`,
  publicClientId: `oac_${'d0f0'.repeat(6)}`,
  webhookSecret: 'c0f0ab1e'.repeat(8),
} as const;

/** API key of the scripted service, after the service's prefix. */
export const SCRIPTED_KEY_ENDING = 'c0f0'.repeat(11);

/** Returns the environment variables that the kit starts an app with, by name. */
export function scriptedEnvironment(serviceUrl: string, apiKey: string): Record<string, string> {
  return {
    LATCHKEY_SERVICE_URL: serviceUrl,
    LATCHKEY_API_KEY: apiKey,
    LATCHKEY_CLIENT_ID: SCRIPTED_IDS.confidentialClientId,
    LATCHKEY_CLIENT_SECRET: SCRIPTED_IDS.clientSecret,
    LATCHKEY_PUBLIC_CLIENT_ID: SCRIPTED_IDS.publicClientId,
    LATCHKEY_COMMUNITY_ID: SCRIPTED_IDS.communityId,
    LATCHKEY_PRICING_PLAN_ID: SCRIPTED_IDS.pricingPlanId,
    LATCHKEY_MEMBERSHIP_ID: SCRIPTED_IDS.membershipId,
    LATCHKEY_WEBHOOK_SECRET: SCRIPTED_IDS.webhookSecret,
  };
}

export function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

export function success(status: 200 | 201, data: object): Answer {
  return json(status, { success: true, data });
}

/** Returns the envelope of a failure, with a trace if the request had a trace id. */
export function failure(status: number, errorCode: string, request: FakeRequest): Answer {
  const isTraced = Object.keys(request.headers).some((name) => /trace|correlation|request-id/.test(name));
  const trace = isTraced
    ? { correlationKey: CORRELATION_KEY, logUrl: `https://logs.service.example/${CORRELATION_KEY}` }
    : {};
  return json(status, { success: false, errorCode, message: `${MESSAGE_MARKER}: ${errorCode}`, ...trace });
}

/** Returns a failure inside a success status, which has no `errorCode`. */
export function failureInside(status: 200 | 201, reason: string, fields: object = {}): Answer {
  return json(status, { success: false, ...fields, message: `${MESSAGE_MARKER}: ${reason}` });
}

export function rejection(status: number, { path }: Pick<FakeRequest, 'path'>): Answer {
  return json(status, {
    success: false,
    message: `${MESSAGE_MARKER}: rejected`,
    statusCode: status,
    timestamp: new Date().toISOString(),
    path,
  });
}

export function oauthError(status: number, error: string, description: string | null = error): Answer {
  const described = description === null ? {} : { error_description: `${MESSAGE_MARKER}: ${description}` };
  return json(status, { error, ...described });
}

export function inviteLink(lifetimeMs: number): object {
  return {
    link: `https://messenger.example/+${randomUUID()}`,
    expiresAt: new Date(Date.now() + lifetimeMs).toISOString(),
  };
}

export function dropSignup(slot: object = {}, data: object = {}): object {
  const dropSlotInfo = {
    ...{ id: 'slot-1', slots: 100, slotsUsed: 1, availableSlots: 99, isCurrentlyActive: true },
    ...{ startsAt: '2026-01-01T00:00:00.000Z', endsAt: null, dropNotification: null, ...slot },
  };
  return { signedUp: true, hasExistingAccount: false, dropSlotInfo, ...data };
}

/** Returns the response to a request. `ordinary` resolves to the response that the specification describes. */
export type ScriptedAnswer = (
  request: RecordedRequest,
  ordinary: () => Promise<Answer>,
) => Answer | Promise<Answer>;

export interface Script {
  readonly name: string;
  readonly answer: ScriptedAnswer;
}

const API_KEY_ENDPOINTS = Object.values(ENDPOINT_OF);

export function isApiKeyEndpoint(endpoint: EndpointName | undefined): boolean {
  return endpoint !== undefined && API_KEY_ENDPOINTS.includes(endpoint);
}

export const ordinaryScript: Script = { name: 'ordinary', answer: (_request, ordinary) => ordinary() };

export function endpointScript(
  name: string,
  endpoints: readonly EndpointName[],
  answer: ScriptedAnswer,
): Script {
  return {
    name,
    answer: (request, ordinary) =>
      request.endpoint !== undefined && endpoints.includes(request.endpoint)
        ? answer(request, ordinary)
        : ordinary(),
  };
}

export function apiKeyScript(name: string, answer: ScriptedAnswer): Script {
  return endpointScript(name, API_KEY_ENDPOINTS, answer);
}

/** Returns a script that fails once at each path, then responds as usual. */
export function failingOnce(name: string, answer: (request: RecordedRequest) => Answer): Script {
  const failed = new Set<string>();
  return apiKeyScript(name, (request, ordinary) => {
    const key = `${request.method} ${request.path}`;
    if (failed.has(key)) return ordinary();
    failed.add(key);
    return answer(request);
  });
}

/** Returns a response with another JSON body. A response without JSON stays as it is. */
export function withBody(answer: Answer, change: (body: Record<string, unknown>) => unknown): Answer {
  const value = jsonOf(answer.body);
  if (typeof value !== 'object' || value === null) return answer;
  return { ...answer, body: JSON.stringify(change({ ...value })) };
}
