import type { Fixtures } from '@latchkey/conformance/fixtures';

/** A message to the service, which a fault can change. */
export interface ProxiedRequest {
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A response of the service, which a fault can change. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

export type Forward = (request: ProxiedRequest) => Promise<Reply>;

/** Stands in for the round trip of a request, which it forwards itself. */
export type Handler = (request: ProxiedRequest, forward: Forward) => Promise<Reply>;

/** A service that differs from the sandbox. */
export interface Deviation {
  readonly name: string;
  /** Creates the handler of one run. */
  handler(fixtures: Fixtures): Handler;
  /** Changes a webhook delivery on its way. `undefined` loses it. */
  delivery?(delivery: ProxiedRequest, secret: string): ProxiedRequest | undefined;
  /** Changes what the driver returns. */
  driven?(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** A service that breaks one rule. */
export interface Fault extends Deviation {
  /** The rule that it breaks. */
  readonly breaks: string;
  /** Other rules about the same observation, which it breaks unavoidably, with the reason. */
  readonly coupled?: Readonly<Record<string, string>>;
  /** True if only checks that move the clock can see it. */
  readonly needsClock?: boolean;
}

/** A service that differs from the sandbox and keeps every rule. */
export interface Variant extends Deviation {
  /** Rules that pass at this service. */
  readonly keeps: readonly string[];
  /** Rules that nothing shows at this service. */
  readonly hides?: readonly string[];
}

type JsonObject = Record<string, unknown>;

/** The JSON body of a message, or an empty object. */
export function jsonOf({ body }: { readonly body: string }): JsonObject {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

/** `data` of an envelope. */
export function dataOf(body: JsonObject): JsonObject {
  return (body.data ?? {}) as JsonObject;
}

export function json(status: number, body: unknown): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

export function formOf({ body }: { readonly body: string }): URLSearchParams {
  return new URLSearchParams(body);
}

/** Condition on a request: a part of its path, and its method. */
export type Where = (request: ProxiedRequest) => boolean;

export const at =
  (part: string): Where =>
  ({ path }) =>
    path.includes(part);

export const PROVISION = at('/membership/provision-external');
export const CHECK = at('/membership/check-messenger');
export const INVITE = at('/membership/join-messenger');
export const BUY = at('/api/checkout/buy-plan');
export const SIGNUP = at('/api/drop-notification/signup');
export const AUTHORIZE = at('/oauth/authorize');
export const TOKEN = at('/oauth/token');
export const REVOKE = at('/oauth/revoke');
export const USERINFO = at('/oauth/userinfo');
export const MEMBERSHIPS = at('/oauth/memberships');
export const PRODUCTS = at('/oauth/products');
export const CLIENT = at('/oauth/client/');

/** Changes the response of matching requests. */
export function onReply(
  where: Where,
  change: (reply: Reply, request: ProxiedRequest) => Reply | undefined,
): () => Handler {
  return () => async (request, forward) => {
    const asked = { ...request, headers: { ...request.headers } };
    const reply = await forward(request);
    return where(asked) ? (change(reply, asked) ?? reply) : reply;
  };
}

/** Changes the JSON body of matching responses in place. */
export function onJson(
  where: Where,
  change: (body: JsonObject, reply: Reply, request: ProxiedRequest) => void,
): () => Handler {
  return onReply(where, (reply, request) => {
    const body = jsonOf(reply);
    if (Object.keys(body).length === 0) return undefined;
    change(body, reply, request);
    return { ...reply, body: JSON.stringify(body) };
  });
}

/** Changes the JSON body of matching successes in place. */
export function onList(where: Where, change: (body: JsonObject) => void): () => Handler {
  return onJson(where, (body, reply) => {
    if (isSuccess(reply)) change(body);
  });
}

/** Forwards every request unchanged. */
export const unchanged = (): Handler => (request, forward) => forward(request);

export function isSuccess({ status }: Pick<Reply, 'status'>): boolean {
  return status < 300;
}

/** Changes the JSON body of matching requests in place, before the service sees them. */
export function onRequestJson(where: Where, change: (body: JsonObject) => void): () => Handler {
  return () => async (request, forward) => {
    if (!where(request) || request.body === '') return await forward(request);
    const body = jsonOf(request);
    change(body);
    return await forward({ ...request, body: JSON.stringify(body) });
  };
}

/** Changes the query of matching requests before the service sees them. */
export function onQuery(where: Where, change: (query: URLSearchParams) => void): () => Handler {
  return () => async (request, forward) => {
    if (!where(request)) return await forward(request);
    const url = new URL(request.path, 'http://proxy');
    change(url.searchParams);
    return await forward({ ...request, path: `${url.pathname}${url.search}` });
  };
}

/** Changes the form of matching requests before the service sees them. */
export function onForm(
  where: Where,
  change: (form: URLSearchParams, request: ProxiedRequest) => void,
): () => Handler {
  return () => async (request, forward) => {
    const isForm = request.headers['content-type']?.includes('form') === true;
    if (!where(request) || !isForm) return await forward(request);
    const form = formOf(request);
    change(form, request);
    return await forward({ ...request, body: form.toString() });
  };
}

/** Changes the redirect of matching responses in place. */
export function onRedirect(where: Where, change: (location: URL, reply: Reply) => void): () => Handler {
  return onReply(where, (reply) => {
    const { location } = reply.headers;
    if (typeof location !== 'string' || !URL.canParse(location)) return undefined;
    const url = new URL(location);
    change(url, reply);
    return { ...reply, headers: { ...reply.headers, location: url.href } };
  });
}

/** True if a response is a rejection body. */
export function isRejection(body: JsonObject): boolean {
  return 'statusCode' in body;
}

/** The credential in the Authorization header. */
export function bearerOf({ headers }: ProxiedRequest): string {
  return (headers.authorization ?? '').replace(/^Bearer /, '');
}
