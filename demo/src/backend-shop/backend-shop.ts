import { randomBytes } from 'node:crypto';
import { LatchkeyClient } from '@latchkey/client';
import {
  LatchkeyError,
  type LatchkeyPages,
  latchkey,
  referencePayload,
  sqliteDirectory,
} from '@latchkey/express';
import { type RunningSandbox, sandboxApiKeyOf, sandboxScenario } from '@latchkey/sandbox';
import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import { liveRoutes } from '../how/live-routes.js';
import { createShopCalls } from '../how/shop-calls.js';
import { html } from '../html.js';
import { readNextDrop } from '../next-drop.js';
import { SHOP_WEBHOOKS } from '../registrations.js';
import { publicFolder, shopHeaders } from '../serving.js';
import { accountRoutes } from './account.js';
import { courseRoutes } from './course.js';
import { dropRoutes } from './drop.js';
import { homePage, type Seat } from './home-page.js';
import { joinPlan } from './join-plan.js';
import { notFoundPage, sendCheckoutNotice, shopPages } from './notice-pages.js';
import type { PageFrame } from './shop-layout.js';
import { MEMBERSHIP_NAMES, Purchases, welcomeBanner } from './site-memberships.js';
import { roastLog, tablePage, thisWeeksLot } from './table-page.js';

/** Addresses of the shop and its neighbors, and the sandbox in this process. */
export interface BackendShopOptions {
  /** The service. Only the demo's drawer, its drop and its clock read the sandbox itself. */
  service: Pick<RunningSandbox, 'baseUrl' | 'clock' | 'control' | 'operator' | 'serviceNames'>;
  /** The shop's origin, as browsers see it. */
  shopUrl: string;
  scriptTagShopUrl: string;
  quiet: boolean;
}

const silent = { warn: () => {}, error: () => {} };

const { community, products, memberships, plans, users, confidentialClient } = sandboxScenario;
const members = { communityId: community.id };

/** The shop with a backend. The kit signs visitors in, sells, stores the session and gates the members' pages. */
export function backendShop(options: BackendShopOptions): Express {
  const { service, shopUrl } = options;
  const { baseUrl: serviceUrl, clock, serviceNames } = service;
  const frame = frameOf(options);
  const pages = shopPages(frame);
  const auth = createAuth(options, pages);
  const client = new LatchkeyClient({ serviceUrl, serviceNames, apiKey: sandboxApiKeyOf(serviceNames) });
  const purchases = new Purchases();
  // The members of the sandbox. They became members before the shop received events.
  const imported = [
    { membershipId: memberships.adaCommunity.id, communityId: community.id, pricingPlanId: plans.monthly.id },
    { membershipId: memberships.adaProduct.id, productId: products.brewGuide.id },
    { membershipId: memberships.cleoCommunity.id, communityId: community.id },
  ];
  const recorded = auth.directory.record(imported);

  const app = express();
  app.disable('x-powered-by');
  app.use(shopHeaders(serviceUrl, { hasBackend: true }));
  app.use('/assets', express.static(publicFolder('assets')));
  app.use(express.static(publicFolder('backend'), { index: false }));
  app.use(liveRoutes(liveNeeds(options)));
  app.use((_request, _response, next) => {
    recorded.then(() => next(), next);
  });
  app.all('/webhooks', webhooksOf(auth, { purchases, clock }));
  app.use(auth.router);
  const checkout = { client, plans: [joinPlan] };
  app.use(
    auth.checkout({
      ...checkout,
      page: (request, response, details) =>
        sendCheckoutNotice(response, frame(request, details.title), details),
    }),
  );
  app.get('/chat', auth.inviteLink(checkout));

  const ownMemberships = async (request: Request) =>
    ((await request.latchkey?.memberships()) ?? []).filter(({ isKnown }) => isKnown);
  const welcome = async (request: Request) => {
    if (!request.latchkey?.signedIn) return html``;
    // A page that is open to all needs no answer of the service. Without one it only lacks the banner.
    const owned = await ownMemberships(request).catch((error: unknown) => {
      if (isOutage(error)) return [];
      throw error;
    });
    return welcomeBanner(owned, { purchases, now: clock.now() });
  };
  app.get('/', auth.locals(), (request, response) => {
    const visitor = response.locals.latchkey;
    const isUnknown = visitor?.signedIn === true && !visitor.membershipsKnown;
    const seat: Seat = isUnknown ? 'unknown' : visitor?.has(members) ? 'taken' : 'free';
    response.set('Cache-Control', 'no-store').send(homePage(frame(request, 'The club'), seat));
  });
  app.get('/table', auth.requireMembership(members), async (request, response) => {
    const owned = await ownMemberships(request);
    const isBoughtHere = owned.some(
      ({ id, communityId }) =>
        communityId === community.id && !imported.some(({ membershipId }) => membershipId === id),
    );
    const details = { memberships: owned, welcome: await welcome(request), isBoughtHere };
    response.set('Cache-Control', 'no-store').send(tablePage(frame(request, 'The Roaster’s Table'), details));
  });
  app.get('/api/table', auth.requireMembership(members, { respond: 'json' }), (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ lot: thisWeeksLot, roastLog });
  });
  const progress = courseRoutes({ auth, shopUrl, frame, welcome });
  app.use(progress.router);
  const readDrop = () => readNextDrop(service, community.id);
  app.use(dropRoutes({ client, communityId: community.id, shopUrl, clock, readDrop, frame }));
  app.use(accountRoutes({ auth, frame, ownMemberships, purchases, finishedLessons: progress.finishedBy }));
  app.use((request, response) => {
    response
      .status(404)
      .set('Cache-Control', 'no-store')
      .send(notFoundPage(frame(request, 'Not found')));
  });
  app.use(((error, request, response, next) => {
    if (!isOutage(error)) return next(error);
    response.status(503).set('Cache-Control', 'no-store');
    pages.unavailable?.(request, response);
  }) satisfies ErrorRequestHandler);
  return app;
}

/** True if the service does not respond, and nothing recent is known about the visitor. */
function isOutage(error: unknown): boolean {
  return error instanceof LatchkeyError && error.code === 'service_unavailable';
}

function frameOf({ service, scriptTagShopUrl }: BackendShopOptions) {
  const { clientId } = confidentialClient;
  return (request: Request, title: string): PageFrame => ({
    places: { serviceUrl: service.baseUrl, scriptTagShopUrl, clientId },
    title: `${title} · Ember & Oak`,
    path: request.path,
    signedInAs: request.latchkey?.signedIn ? (request.latchkey.user?.email ?? 'a friend') : undefined,
  });
}

function createAuth({ service, shopUrl, quiet }: BackendShopOptions, pages: LatchkeyPages) {
  const { clientId, clientSecret } = confidentialClient;
  return latchkey({
    serviceUrl: service.baseUrl,
    serviceNames: service.serviceNames,
    clientId,
    clientSecret,
    appUrl: shopUrl,
    // A new secret at every start. The sandbox's data is new too, so older sessions would be invalid anyway.
    cookieSecret: randomBytes(32).toString('base64url'),
    clock: service.clock,
    // The service of the demo keeps its data in memory too.
    directory: sqliteDirectory(':memory:'),
    upgradeUrl: '/#join',
    membershipNames: MEMBERSHIP_NAMES,
    ...(quiet && { logger: silent }),
    pages,
  });
}

function webhooksOf(
  auth: ReturnType<typeof createAuth>,
  { purchases, clock }: { purchases: Purchases; clock: { now(): number } },
) {
  const [club, ...goods] = SHOP_WEBHOOKS;
  return auth.webhooks({
    communities: { [club.subject.communityId]: club.secret },
    products: Object.fromEntries(goods.map(({ subject, secret }) => [subject.productId, secret])),
    payload: referencePayload,
    on: {
      'payment.success': ({ body: { data } }) => {
        const { membershipId, amount, currency } = data;
        if (typeof membershipId !== 'string' || typeof amount !== 'number' || !currency) return;
        purchases.record(membershipId, { amount, currency, paidAt: clock.now() });
      },
    },
  });
}

/** The shop's own client, key and webhooks: its drawer shows nothing else. */
function liveNeeds({ service, shopUrl }: BackendShopOptions) {
  const calls = createShopCalls(service, {
    clientId: confidentialClient.clientId,
    apiKey: { name: 'Sandbox', ownerId: users.dana.id },
    webhookIds: SHOP_WEBHOOKS.map(({ id }) => id),
  });
  return { service, calls, communityId: community.id, hosts: [new URL(shopUrl).host] };
}
