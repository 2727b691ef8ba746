import { randomBytes } from 'node:crypto';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { RouteContext } from '@latchkey/server';
import {
  type Database,
  formatPrice,
  methodNotAllowed,
  requestQuery,
  sameOriginGuard,
} from '@latchkey/server/extension';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import * as z from 'zod';
import { PREVIEW_PATH, previewPage, previewSettings } from './preview-page.js';

/** Most rows that an answer contains. */
const ROWS_MAX = 100;

/** Returns the active memberships of a user, as the Express kit describes them. */
async function previewMemberships(db: Database, userId: string, now: number): Promise<object[]> {
  const rows = await db
    .selectFrom('memberships')
    .select([
      'id',
      'product_type',
      'community_id',
      'product_id',
      'pricing_plan_id',
      'valid_from',
      'valid_until',
    ])
    .where('user_id', '=', userId)
    .where('valid_from', '<=', now)
    .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', now)]))
    .limit(ROWS_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    productType: row.product_type,
    isActive: true,
    isKnown: true,
    validFrom: formatTimestamp(row.valid_from),
    validUntil: row.valid_until === null ? null : formatTimestamp(row.valid_until),
    communityId: row.community_id,
    productId: row.product_id,
    pricingPlanId: row.pricing_plan_id,
  }));
}

/** Returns the plans on sale, as the Express kit offers them. */
async function previewPlans(db: Database): Promise<object[]> {
  const rows = await db
    .selectFrom('pricing_plans')
    .select(['id', 'community_id', 'name', 'price_minor', 'currency', 'period_days', 'renews'])
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(ROWS_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    communityId: row.community_id,
    name: row.name,
    price: formatPrice(row.price_minor, row.currency),
    term: row.period_days === null ? 'once' : `${row.renews === 1 ? 'every' : 'for'} ${row.period_days} days`,
  }));
}

/** Visitor of the preview who signed in. */
interface PreviewSession {
  readonly userId: string;
  readonly email: string | null;
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly expiresAt: number;
}

/** Most sessions that are kept. The oldest one ends first. */
const SESSIONS_MAX = 100;

/** Sessions of the preview's visitors, in memory. */
class PreviewSessions {
  readonly #kept = new Map<string, PreviewSession>();

  /** Stores a session under a new random name, and returns the name. */
  add(session: PreviewSession): string {
    const name = randomBytes(24).toString('base64url');
    this.#kept.set(name, session);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > SESSIONS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return name;
  }

  /** Returns the session of a name, unless it has expired. */
  find(name: string, now: number): PreviewSession | undefined {
    const session = this.#kept.get(name);
    return session !== undefined && session.expiresAt > now ? session : undefined;
  }

  end(name: string): void {
    this.#kept.delete(name);
  }
}

const COOKIE = 'sandbox-preview';
const CLIENT_ID = /^oac_[0-9a-f]{24}$/;

const exchangeInput = z.object({
  code: z.string().max(500),
  codeVerifier: z.string().max(200),
  redirectUri: z.string().max(2_000),
});
const tokenPair = z.object({ access_token: z.string(), expires_in: z.number() });
const identity = z.object({ sub: z.string(), email: z.string().nullable().optional() });

/**
 * The preview of the configurator: a page with the elements, and the backend that they call. The backend answers as the
 * Express kit does, for the client in its path. It redeems codes at the service and reads the memberships from its database.
 */
export function previewRoutes(context: RouteContext): Router {
  const sessions = new PreviewSessions();
  const router = Router({ caseSensitive: true, strict: true });
  const own = sameOriginGuard(context);
  const backend = `${PREVIEW_PATH}/:clientId`;
  router.route(PREVIEW_PATH).get(showPage).all(methodNotAllowed('GET'));
  router.use(PREVIEW_PATH, noStore);
  router.route(`${backend}/session`).get(showSession(context, sessions)).all(methodNotAllowed('GET'));
  router.route(`${backend}/plans`).get(showPlans(context)).all(methodNotAllowed('GET'));
  router.route(`${backend}/content`).get(showContent(context, sessions)).all(methodNotAllowed('GET'));
  router
    .route(`${backend}/exchange`)
    .post(own, express.json({ limit: '10kb' }), exchange(context, sessions))
    .all(methodNotAllowed('POST'));
  router.route(`${backend}/logout`).post(own, logout(sessions)).all(methodNotAllowed('POST'));
  router
    .route(`${backend}/checkout`)
    .post(own, rejectCheckout(context, sessions))
    .all(methodNotAllowed('POST'));
  return router;
}

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const showPage: RequestHandler = (request, response) => {
  const parsed = previewSettings.safeParse(parsedJson(requestQuery(request).get('settings') ?? '{}'));
  if (!parsed.success) {
    return void response.status(400).type('text/plain').send('The settings of the preview are not valid.\n');
  }
  const { html, policy } = previewPage(parsed.data);
  response
    .set('Content-Security-Policy', policy)
    .set('X-Frame-Options', 'SAMEORIGIN')
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(html);
};

function showSession({ db, clock }: RouteContext, sessions: PreviewSessions): RequestHandler {
  return async (request, response) => {
    const session = sessions.find(cookieOf(request), clock.now());
    response.json(session === undefined ? { signedIn: false } : await signedIn(db, session, clock.now()));
  };
}

function showPlans({ db }: RouteContext): RequestHandler {
  return async (_request, response) => void response.json({ plans: await previewPlans(db) });
}

/** Content of a gate with `src`, for members of anything. */
function showContent({ db, clock }: RouteContext, sessions: PreviewSessions): RequestHandler {
  return async (request, response) => {
    const session = sessions.find(cookieOf(request), clock.now());
    if (session === undefined) return fail(response, 401, 'sign_in_required', 'Sign in.');
    const memberships = await previewMemberships(db, session.userId, clock.now());
    if (memberships.length === 0) return fail(response, 403, 'membership_required', 'For members.');
    response.type('html').send('<p>Members receive this from the server.</p>');
  };
}

/** Redeems the code of the popup at the service itself, as the backend of a site does. */
function exchange({ db, clock, baseUrl }: RouteContext, sessions: PreviewSessions): RequestHandler {
  return async (request, response) => {
    const clientId = String(request.params.clientId);
    const input = exchangeInput.safeParse(request.body);
    if (!input.success || !CLIENT_ID.test(clientId)) {
      return fail(response, 400, 'invalid_request', 'The body is not valid.');
    }
    const { code, codeVerifier, redirectUri } = input.data;
    const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirectUri };
    const answer = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, code_verifier: codeVerifier }),
    });
    if (!answer.ok) {
      const message = 'The preview has no client secret: it signs in with public clients only.';
      return fail(response, 400, 'invalid_grant', message);
    }
    const { access_token, expires_in } = tokenPair.parse(await answer.json());
    const headers = { Authorization: `Bearer ${access_token}` };
    const user = identity.parse(await (await fetch(`${baseUrl}/oauth/userinfo`, { headers })).json());
    const session = {
      userId: user.sub,
      email: user.email ?? null,
      expiresAt: clock.now() + expires_in * 1_000,
    };
    response.cookie(COOKIE, sessions.add(session), {
      httpOnly: true,
      sameSite: 'strict',
      path: PREVIEW_PATH,
    });
    response.json(await signedIn(db, session, clock.now()));
  };
}

function logout(sessions: PreviewSessions): RequestHandler {
  return (request, response) => {
    sessions.end(cookieOf(request));
    response.clearCookie(COOKIE, { path: PREVIEW_PATH }).status(204).end();
  };
}

/** The checkout page cannot be framed, so a purchase in the preview would end in an empty frame. */
function rejectCheckout({ clock }: RouteContext, sessions: PreviewSessions): RequestHandler {
  return (request, response) => {
    const session = sessions.find(cookieOf(request), clock.now());
    if (session === undefined) return fail(response, 401, 'sign_in_required', 'Sign in.');
    fail(response, 409, 'checkout_refused', 'The preview opens no checkout.');
  };
}

async function signedIn(db: RouteContext['db'], { userId, email, expiresAt }: PreviewSession, now: number) {
  const memberships = await previewMemberships(db, userId, now);
  return { signedIn: true, user: { sub: userId, email }, memberships, expiresAt };
}

function fail(response: Response, status: number, error: string, message: string): void {
  response.status(status).json({ error, message });
}

function cookieOf(request: Request): string {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.get('cookie') ?? '')?.[1] ?? '';
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
