import { answerForm, jsonOf, networkFailureOf } from '@latchkey/contract/constants';

export interface ResponseLimits {
  /** How long a complete response may take, in milliseconds. */
  readonly ms: number;
  /** Longest body that is read, in bytes. */
  readonly bytes: number;
}

/** A response, or why there is none. */
export type Probe =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** True if the host didn't respond in time. */
      readonly isTimeout?: boolean;
    };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or undefined if the body isn't JSON. */
  readonly json: unknown;
  readonly text: string;
  /** Local times around the request, in milliseconds since the epoch. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Doesn't follow redirects: their target must not receive credentials. */
export async function sendProbe(url: string, init: RequestInit, limits: ResponseLimits): Promise<Probe> {
  const sentAt = Date.now();
  try {
    const signal = AbortSignal.timeout(limits.ms);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const receivedAt = Date.now();
    const text = await readText(response, limits.bytes);
    if (text === undefined)
      return { kind: 'failed', reason: `the body is larger than ${limits.bytes} bytes` };
    const { status, headers } = response;
    return { kind: 'answer', answer: { status, headers, text, json: jsonOf(text), sentAt, receivedAt } };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return { kind: 'failed', reason: reasonOf(error, limits), isTimeout };
  }
}

async function readText({ body }: Response, bytesMax: number): Promise<string | undefined> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown, { ms }: ResponseLimits): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${ms} ms`;
  const { reason, advice } = networkFailureOf(error);
  return `${reason}. ${advice.replace(/\.$/, '')}`;
}

/** Returns the fields of a JSON object, and none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Describes a response for reports: `status 404 with JSON (success)`. Contains no values from the body. */
export function shapeOf({ status, json, headers }: Pick<Answer, 'status' | 'json' | 'headers'>): string {
  if (status >= 300 && status < 400) return `status ${status}, ${answerForm(status, headers)}`;
  if (json === undefined) return `status ${status} with ${answerForm(status, headers)}`;
  const names = Object.keys(fieldsOf(json));
  return `status ${status} with JSON (${names.length === 0 ? 'no fields' : names.slice(0, 8).join(', ')})`;
}

/** Code challenge for authorization requests. No code is ever redeemed with its verifier. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Returns the path of an authorization request. Nobody is signed in, so it ends at the sign-in page. */
export function authorizePath(path: string, clientId: string, redirectUri: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'memberships.read',
    state: 'latchkey-doctor',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  return `${path}?${query}`;
}
