import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { type AppUrl, publicMountPath } from '../http/app-url.js';
import { prefersHtml } from '../http/json-error.js';
import { safeAddress } from '../sign-in/return-to.js';

const BODY_LIMIT = '10kb';
const parsers = [
  express.json({ limit: BODY_LIMIT }),
  express.urlencoded({ limit: BODY_LIMIT, extended: false }),
];

/** Fields of `POST /auth/checkout`, before the rules of each are applied. */
export interface CheckoutRequest {
  plan: string;
  /** Page to return to after the payment. */
  returnTo: string | undefined;
  /** Address that the visitor typed. It counts only for an account without one. */
  email: string | undefined;
}

export type ReadCheckoutRequest =
  | { kind: 'read'; body: CheckoutRequest }
  | { kind: 'invalid'; message: string };

const optionalText = z
  .string()
  .optional()
  .transform((text) => (text === '' ? undefined : text));

const bodySchema = z.object({ plan: z.string().min(1), returnTo: optionalText, email: optionalText });

/** Reads the body of a form or of JSON, unless a parser of the app has already done so. */
export async function readCheckoutRequest(
  request: Request,
  response: Response,
): Promise<ReadCheckoutRequest> {
  const type = request.is(['application/json', 'application/x-www-form-urlencoded']);
  if (type === false || type === null) {
    return {
      kind: 'invalid',
      message: 'Send plan as a form (application/x-www-form-urlencoded) or as JSON.',
    };
  }
  try {
    for (const parse of parsers) await run(parse, request, response);
  } catch {
    return { kind: 'invalid', message: `The body must be a form or JSON of at most ${BODY_LIMIT}.` };
  }
  const parsed = bodySchema.safeParse(request.body);
  if (parsed.success) return { kind: 'read', body: parsed.data };
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.') || 'body'))];
  return { kind: 'invalid', message: `Missing or malformed: ${fields.join(', ')}.` };
}

/** True for a script: it sends JSON, or does not prefer HTML. */
export function isScript(request: Request): boolean {
  return request.is('application/json') === 'application/json' || !prefersHtml(request);
}

/** Returns the path of the page that sent the request, if the browser reports one of this app. */
export function sendingPage(request: Request, app: AppUrl): string | undefined {
  const referrer = request.headers.referer;
  if (referrer === undefined || !URL.canParse(referrer)) return undefined;
  const { origin, pathname, search } = new URL(referrer);
  return origin === app.appOrigin ? pagePath(`${pathname}${search}`, app) : undefined;
}

/** Returns the path and query of a page of the app outside of `mountPath`, or undefined for everything else. */
export function pagePath(wanted: unknown, app: AppUrl): string | undefined {
  const path = safeAddress(wanted, app)?.slice(app.appOrigin.length);
  return path?.startsWith(`${publicMountPath(app)}/`) === true ? undefined : path;
}

function run(parse: express.RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}
