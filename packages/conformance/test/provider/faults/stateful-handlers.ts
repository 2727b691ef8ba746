import { createHash } from 'node:crypto';
import {
  bearerOf,
  dataOf,
  formOf,
  type Handler,
  isSuccess,
  json,
  jsonOf,
  PROVISION,
  type ProxiedRequest,
  type Reply,
  TOKEN,
  USERINFO,
} from './fault.js';

type Json = Record<string, unknown>;

const HOUR_MS = 3_600_000;

const FAKE_PAIR = {
  access_token: 'fake-access-token',
  refresh_token: 'fake-refresh-token',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'memberships.read products.read',
};

/** Answers with a success if the service refuses the form, for the first use of a code. */
export function honours(isHonoured: (form: URLSearchParams) => boolean): () => Handler {
  return () => {
    const used = new Set<string>();
    return async (request, forward) => {
      const form = formOf(request);
      const code = form.get('code') ?? '';
      const reply = await forward(request);
      if (!TOKEN(request) || used.has(code)) return reply;
      used.add(code);
      return reply.status === 400 && isHonoured(form) ? json(201, FAKE_PAIR) : reply;
    };
  };
}

/** Follows refresh tokens from pair to pair. */
export function onRefresh(handle: (chains: Chains) => Handler): () => Handler {
  return () => handle(new Chains());
}

class Chains {
  /** The pair after a refresh token. */
  readonly next = new Map<string, Json>();
  /** The access token that replaced another one. */
  readonly replaced = new Map<string, string>();
  readonly #accessOf = new Map<string, string>();

  learn(form: URLSearchParams, reply: Reply): void {
    if (!isSuccess(reply)) return;
    const pair = jsonOf(reply);
    const before = form.get('refresh_token');
    if (before !== null) {
      this.next.set(before, pair);
      const access = this.#accessOf.get(before);
      if (access !== undefined) this.replaced.set(access, String(pair.access_token));
    }
    this.#accessOf.set(String(pair.refresh_token), String(pair.access_token));
  }
}

export const cascade = onRefresh((chains) => {
  const dead = new Set<string>();
  return async (request, forward) => {
    if (dead.has(bearerOf(request)))
      return json(401, { error: 'invalid_token', error_description: 'revoked' });
    if (!TOKEN(request)) return await forward(request);
    const form = formOf(request);
    const token = form.get('refresh_token') ?? '';
    if (dead.has(token)) return json(400, { error: 'invalid_grant', error_description: 'revoked' });
    const reply = await forward(request);
    chains.learn(form, reply);
    const next = chains.next.get(token);
    if (!isSuccess(reply) && next !== undefined) {
      dead.add(String(next.access_token)).add(String(next.refresh_token));
    }
    return reply;
  };
});

export const oldAccessToken = onRefresh((chains) => async (request, forward) => {
  const reply = await forward(request);
  if (TOKEN(request)) chains.learn(formOf(request), reply);
  let current = chains.replaced.get(bearerOf(request));
  while (current !== undefined && chains.replaced.has(current)) current = chains.replaced.get(current);
  if (reply.status !== 401 || current === undefined) return reply;
  return await forward({ ...request, headers: { ...request.headers, authorization: `Bearer ${current}` } });
});

/** Recognizes provisionings that begin in the future. The start of a created membership is the time of the service. */
export function followsStarts(): (request: ProxiedRequest, reply: Reply) => boolean {
  let now = Number.POSITIVE_INFINITY;
  return (request, reply) => {
    if (!PROVISION(request)) return false;
    const { status, validFrom } = dataOf(jsonOf(reply));
    const start = Date.parse(String(validFrom));
    if (status === 'created') now = start;
    return start > now + HOUR_MS;
  };
}

/** Accepts a code again, with the pair that it gave. */
export const codesTwice = (): Handler => {
  const known = new Map<string, Reply>();
  return async (request, forward) => {
    if (!TOKEN(request)) return await forward(request);
    const code = formOf(request).get('code');
    const earlier = known.get(code ?? '');
    if (earlier !== undefined) return earlier;
    const reply = await forward(request);
    if (code !== null && isSuccess(reply)) known.set(code, reply);
    return reply;
  };
};

/** An access token that never expires: a token that once worked keeps working, except after a revocation or a refresh. */
export const eternalAccess = onRefresh((chains) => {
  const known = new Map<string, Reply>();
  return async (request, forward) => {
    const reply = await forward(request);
    if (TOKEN(request)) chains.learn(formOf(request), reply);
    const token = bearerOf(request);
    if (!USERINFO(request) || chains.replaced.has(token)) return reply;
    if (isSuccess(reply)) known.set(token, reply);
    return known.get(token) ?? reply;
  };
});

/** Accepts an expired code with its verifier: the proxy knows the challenge of each code. */
export const lateCodes = (): Handler => {
  const challenges = new Map<string, string>();
  return async (request, forward) => {
    const form = formOf(request);
    const reply = await forward(request);
    const location = String(reply.headers.location ?? '');
    const asked = new URL(request.path, 'http://proxy').searchParams.get('code_challenge');
    const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
    if (code !== null) challenges.set(code, asked ?? form.get('code_challenge') ?? '');
    if (!TOKEN(request) || isSuccess(reply)) {
      challenges.delete(form.get('code') ?? '');
      return reply;
    }
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const isOwn = challenges.get(form.get('code') ?? '') === challenge && !form.has('client_secret');
    const isValid =
      verifier.length >= 43 && verifier.length <= 128 && /callback$/.test(form.get('redirect_uri') ?? '');
    return isOwn && isValid ? json(201, FAKE_PAIR) : reply;
  };
};
