import { randomBytes } from 'node:crypto';
import { formatTimestamp, jsonOf, PATHS } from '@latchkey/contract/constants';
import { type Database, formatPrice, requestQuery, sameOriginGuard } from '@latchkey/server/extension';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import * as z from 'zod';
import { onGet, onPost } from '../services/routes.js';
import type { Needs } from '../services/services.js';
import {
  PREVIEW_PATH,
  type PreviewPage,
  previewPage,
  previewSettings,
  SAMPLE_SITE_PATH,
  sampleSitePage,
} from './preview-page.js';

const ROWS_MAX = 100;

/**
 * Returns a visitor's active memberships, as the Express kit describes them: asks the service with the visitor's token,
 * like a site, and adds what a site has in its directory.
 */
async function previewMemberships(
  { db, baseUrl }: Needs<'db' | 'baseUrl'>,
  { accessToken }: PreviewSession,
): Promise<object[]> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const answer = await fetch(`${baseUrl}${PATHS.memberships}`, { headers });
  if (!answer.ok) return [];
  const ids = listed.parse(await answer.json()).memberships.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('memberships')
    .select(['id', 'product_type', 'community_id', 'product_id', 'pricing_plan_id'])
    .select(['valid_from', 'valid_until'])
    .where('id', 'in', ids)
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

interface PreviewSession {
  readonly userId: string;
  readonly email: string | null;
  readonly accessToken: string;
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly expiresAt: number;
}

/** Maximum number of sessions that are kept in memory. The oldest one ends first. */
const SESSIONS_MAX = 100;

const COOKIE = 'sandbox-preview';
const CLIENT_ID = /^oac_[0-9a-f]{24}$/;

const exchangeInput = z.object({
  code: z.string().max(500),
  codeVerifier: z.string().max(200),
  redirectUri: z.string().max(2_000),
});
const listed = z.object({ memberships: z.array(z.object({ id: z.string() })) });
const tokenPair = z.object({ access_token: z.string(), expires_in: z.number() });
const identity = z.object({ sub: z.string(), email: z.string().nullable().optional() });

/**
 * The configurator's preview: a page with the elements, and the backend that they call. The backend responds like the
 * Express kit, for the client in its path. It redeems codes at the service and reads the memberships from its database.
 */
export function previewRoutes(services: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = services;
  /** The visitors' sessions, by a random name in their cookie. */
  const sessions = new Map<string, PreviewSession>();
  const sessionOf = (request: Request) => {
    const session = sessions.get(cookieOf(request));
    return session !== undefined && session.expiresAt > clock.now() ? session : undefined;
  };
  const router = Router({ caseSensitive: true, strict: true });
  const own = sameOriginGuard(services);
  const backend = `${PREVIEW_PATH}/:clientId`;
  onGet(router, PREVIEW_PATH, showPage);
  onGet(router, SAMPLE_SITE_PATH, (_request, response) => send(response, sampleSitePage()));
  router.use(PREVIEW_PATH, noStore);
  onGet(router, `${backend}/session`, async (request, response) => {
    const session = sessionOf(request);
    response.json(session === undefined ? { signedIn: false } : await signedIn(services, session));
  });
  onGet(
    router,
    `${backend}/plans`,
    async (_request, response) => void response.json({ plans: await previewPlans(db) }),
  );
  // The content of a gate with `src`, for members of anything.
  onGet(router, `${backend}/content`, async (request, response) => {
    const session = sessionOf(request);
    if (session === undefined) return fail(response, 401, 'sign_in_required', 'Sign in.');
    const memberships = await previewMemberships(services, session);
    if (memberships.length === 0) return fail(response, 403, 'membership_required', 'For members.');
    response.type('html').send('<p>Members receive this from the server.</p>');
  });
  onPost(router, `${backend}/exchange`, own, express.json({ limit: '10kb' }), async (request, response) => {
    const input = exchangeInput.safeParse(request.body);
    const clientId = String(request.params.clientId);
    if (!input.success || !CLIENT_ID.test(clientId)) {
      return fail(response, 400, 'invalid_request', 'The body is not valid.');
    }
    const redeemed = await redeem(baseUrl, clientId, input.data);
    if (redeemed === undefined) {
      const message = 'The preview has no client secret: it signs in with public clients only.';
      return fail(response, 400, 'invalid_grant', message);
    }
    const { expiresIn, ...visitor } = redeemed;
    const session = { ...visitor, expiresAt: clock.now() + expiresIn * 1_000 };
    const name = randomBytes(24).toString('base64url');
    sessions.set(name, session);
    const [oldest] = sessions.keys();
    if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest);
    response.cookie(COOKIE, name, { httpOnly: true, sameSite: 'strict', path: PREVIEW_PATH });
    response.json(await signedIn(services, session));
  });
  onPost(router, `${backend}/logout`, own, (request, response) => {
    sessions.delete(cookieOf(request));
    forgetPreview(response);
    response.status(204).end();
  });
  // The checkout page can't be framed, so a purchase in the preview would end in an empty frame.
  onPost(router, `${backend}/checkout`, own, (request, response) => {
    if (sessionOf(request) === undefined) return fail(response, 401, 'sign_in_required', 'Sign in.');
    fail(response, 409, 'checkout_refused', 'The preview opens no checkout.');
  });
  return router;
}

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const showPage: RequestHandler = (request, response) => {
  const parsed = previewSettings.safeParse(jsonOf(requestQuery(request).get('settings') ?? '{}'));
  if (!parsed.success) {
    return void response.status(400).type('text/plain').send('The settings of the preview are not valid.\n');
  }
  send(response, previewPage(parsed.data));
};

function send(response: Response, { html, policy }: PreviewPage): void {
  response
    .set('Content-Security-Policy', policy)
    .set('X-Frame-Options', 'SAMEORIGIN')
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(html);
}

export function forgetPreview(response: Response): void {
  response.clearCookie(COOKIE, { path: PREVIEW_PATH });
}

/** Redeems the popup's code at the service itself, like a site's backend. `undefined` if it rejects the code. */
async function redeem(
  baseUrl: string,
  clientId: string,
  { code, codeVerifier, redirectUri }: z.output<typeof exchangeInput>,
) {
  const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirectUri };
  const body = new URLSearchParams({ ...form, code_verifier: codeVerifier });
  const answer = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  if (!answer.ok) return undefined;
  const { access_token: accessToken, expires_in: expiresIn } = tokenPair.parse(await answer.json());
  const headers = { Authorization: `Bearer ${accessToken}` };
  const user = identity.parse(await (await fetch(`${baseUrl}/oauth/userinfo`, { headers })).json());
  return { userId: user.sub, email: user.email ?? null, accessToken, expiresIn };
}

async function signedIn(services: Needs<'db' | 'baseUrl'>, session: PreviewSession) {
  const { userId, email, expiresAt } = session;
  const memberships = await previewMemberships(services, session);
  return { signedIn: true, user: { sub: userId, email }, memberships, expiresAt };
}

function fail(response: Response, status: number, error: string, message: string): void {
  response.status(status).json({ error, message });
}

function cookieOf(request: Request): string {
  return new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.get('cookie') ?? '')?.[1] ?? '';
}
