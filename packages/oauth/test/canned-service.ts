import { type RecordedRequest, respond, startFakeService } from '@latchkey/conformance/scripted-service';
import { onTestFinished } from 'vitest';
import type { OAuthService } from '../src/index.js';

export const CLIENT_ID = 'oac_a1b2c3d4e5f60718293a4b5c';
export const CLIENT_SECRET = 'ocs_000102030405060708090a0b0c0d0e0f1011121314151617';

/** The token pair as the specification prints it. */
export const TOKEN_PAIR = {
  access_token: 'access-token-value',
  refresh_token: 'refresh-token-value',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'memberships.read products.read',
};

export interface CannedAnswer {
  status: number;
  /** Sent as JSON, unless it is text. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface CannedService {
  baseUrl: string;
  /** The requests that arrived, in order. */
  requests: RecordedRequest[];
  /** The options of a public client at this service. */
  asPublic: OAuthService;
  /** The options of a confidential client at this service. */
  asConfidential: OAuthService;
}

/** Starts a service that gives every request the same answer. Without an answer, it leaves them waiting. */
export async function cannedService(answer: CannedAnswer | undefined): Promise<CannedService> {
  const { url: baseUrl, requests, replyInOrder, close } = await startFakeService();
  onTestFinished(close);
  replyInOrder(answer === undefined ? 'hang' : respond(answer.status, answer.body, answer.headers));
  const asPublic = { serviceUrl: baseUrl, clientId: CLIENT_ID };
  return { baseUrl, requests, asPublic, asConfidential: { ...asPublic, clientSecret: CLIENT_SECRET } };
}

/** Returns the only request that arrived, with the fields of its form. */
export function onlyRequest(service: CannedService) {
  const [request, ...others] = service.requests;
  if (!request || others.length > 0) throw new Error(`${service.requests.length} requests arrived, not one.`);
  return { ...request, form: Object.fromEntries(request.form) as Record<string, string> };
}
