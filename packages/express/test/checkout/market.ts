import { createServer } from 'node:http';
import { type ClientOptions, LatchkeyClient } from '@latchkey/client';
import { type RunningSandbox, sandboxScenario, seedSandbox, startSandbox } from '@latchkey/sandbox';
import { createManualClock, type ManualClock } from '@latchkey/server';
import express, { type Express } from 'express';
import {
  type CheckoutOptions,
  type CheckoutPlan,
  type Latchkey,
  type LatchkeyOptions,
  latchkey,
  type MembershipDirectory,
  memoryDirectory,
} from '../../src/index.js';
import { Browser, NAVIGATION, type Page } from '../browser.js';
import { COOKIE_SECRET } from '../cookie-secret.js';
import { listen } from '../listen.js';

const { community, confidentialClient, plans, webhooks } = sandboxScenario;

/** The two plans of the sandbox's community. */
export const MONTHLY: CheckoutPlan = {
  id: plans.monthly.id,
  communityId: community.id,
  name: 'Monthly',
  price: '€9',
  term: 'per month',
};
export const LIFETIME: CheckoutPlan = {
  id: plans.lifetime.id,
  communityId: community.id,
  name: 'For life',
  price: '€199',
  term: 'once',
  description: 'Everything, always.',
};

/** A plan for one day that does not renew. The market adds it to the sandbox. */
export const DAY_TICKET: CheckoutPlan = {
  id: '5eed0000-0000-4000-8000-0000000000d9',
  communityId: community.id,
  name: 'Day ticket',
  price: '€1',
  term: 'for one day',
};

/** A running app that sells memberships of the sandbox's community. */
export interface Market {
  url: string;
  sandbox: RunningSandbox;
  clock: ManualClock;
  auth: Latchkey;
  directory: MembershipDirectory;
  browser: Browser;
  log: { level: 'warn' | 'error'; message: string; details: unknown }[];
  /** Requests to the service with the API key, as `METHOD /path`. */
  calls: string[];
  /** Signs in by redirect, through the pages of the service. */
  signIn(email: string, browser?: Browser): Promise<Page>;
  /** Sends the form of a page of the app. Resolves with the first response. */
  order(fields: Record<string, string>, request?: OrderRequest): Promise<Page>;
  /** Sends an order as a script of the app does. */
  orderJson(body: unknown, request?: OrderRequest): Promise<Page>;
  /** Pays on the hosted page. Resolves with the address of the page after the payment. */
  pay(checkoutUrl: string, method?: string): Promise<string>;
  /** Records the community memberships of the browser's user as those of this community, as a webhook does. */
  learn(pricingPlanId: string | null, browser?: Browser): Promise<void>;
  /** Delivers the webhooks that are due. */
  deliver(): Promise<void>;
}

export interface OrderRequest {
  browser?: Browser;
  headers?: Record<string, string>;
}

export interface MarketSetup {
  plans?: readonly CheckoutPlan[];
  client?: Partial<ClientOptions>;
  checkout?: Partial<CheckoutOptions>;
  options?: Partial<LatchkeyOptions>;
  /** Express 4 or 5. */
  createApp?: () => Express;
  /** Middleware above that of the kit. */
  before?: (app: Express) => void;
  routes?: (app: Express, auth: Latchkey, client: LatchkeyClient) => void;
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export async function openMarket({
  plans: onSale = [MONTHLY, LIFETIME],
  client: clientOptions = {},
  checkout = {},
  options = {},
  createApp = express,
  before = () => {},
  routes = () => {},
}: MarketSetup = {}): Promise<Market> {
  place ??= openPlace();
  const app = createApp();
  app.set('env', 'test');
  const { url, clock, sandbox } = await (await place).begin(app);
  const calls: string[] = [];
  const client = new LatchkeyClient({
    serviceUrl: sandbox.baseUrl,
    apiKey: sandboxScenario.apiKey,
    maxRetries: 0,
    ...clientOptions,
    fetch: (input, init) => {
      const request = new Request(input, init);
      calls.push(`${request.method} ${new URL(request.url).pathname}`);
      return (clientOptions.fetch ?? fetch)(request);
    },
  });
  const log: Market['log'] = [];
  const directory = options.directory ?? memoryDirectory();
  const auth = latchkey({
    serviceUrl: sandbox.baseUrl,
    clientId: confidentialClient.clientId,
    clientSecret: confidentialClient.clientSecret,
    appUrl: url,
    cookieSecret: COOKIE_SECRET,
    clock,
    logger: {
      warn: (message, details) => log.push({ level: 'warn', message, details }),
      error: (message, details) => log.push({ level: 'error', message, details }),
    },
    directory,
    ...options,
  });
  before(app);
  app.all(
    '/hooks',
    auth.webhooks({ communities: { [community.id]: webhooks.community.secret }, store: 'memory' }),
  );
  app.use(auth.router);
  app.use(auth.checkout({ client, plans: onSale, ...checkout }));
  routes(app, auth, client);
  app.get('/', (_request, response) => {
    response.send('Start page');
  });
  app.get('/members', (_request, response) => {
    response.send('Members page');
  });
  // The gate of the directory's memory store logs a warning at the start.
  log.length = 0;
  const browser = new Browser();

  return {
    url,
    sandbox,
    clock,
    auth,
    directory,
    browser,
    log,
    calls,
    signIn: (email, by = browser) => signIn(by, email, { url, serviceUrl: sandbox.baseUrl }),
    order: (fields, { browser: by = browser, headers = {} } = {}) =>
      by.request(`${url}/auth/checkout`, {
        method: 'POST',
        headers: {
          ...NAVIGATION,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: `${new URLSearchParams(fields)}`,
      }),
    orderJson: (body, { browser: by = browser, headers = {} } = {}) =>
      by.request(`${url}/auth/checkout`, {
        method: 'POST',
        headers: {
          accept: '*/*',
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
    pay: (checkoutUrl, method = 'card-4242') => pay(browser, checkoutUrl, method),
    async learn(pricingPlanId, by = browser) {
      auth.forgetMemberships();
      // Of two records at the same time the first wins.
      clock.advance(1);
      const { json } = await by.request(`${url}/auth/session`);
      const memberships = json.memberships as { id: string; productType: string }[];
      for (const { id, productType } of memberships) {
        if (productType !== 'community') continue;
        await auth.directory?.record({ membershipId: id, communityId: community.id, pricingPlanId });
      }
    },
    deliver: () => sandbox.runBackgroundWork(),
  };
}

let place: ReturnType<typeof openPlace> | undefined;

/**
 * Starts the sandbox and the address of the app, which all markets of a worker use one after another. Loading the data takes an
 * eighth of the processor time of a start.
 */
async function openPlace() {
  const start = Date.now();
  const clock = createManualClock(start);
  const sandbox = await startSandbox({ port: 0, clock, logger: silent, backgroundWork: false });
  let current: Express;
  const { url } = await listen(createServer((request, response) => current(request, response)));
  await seedSandbox(sandbox, { scriptTagShop: 'http://localhost:1', backendShop: url });
  // Delivers the events of the seed data to the sandbox's receiver.
  await sandbox.runBackgroundWork();
  await sandbox.operator.change('webhooks', webhooks.community.id, { url: `${url}/hooks` });
  const { id, communityId, name } = DAY_TICKET;
  await sandbox.operator.createPricingPlan({ id, communityId, name, priceMinor: 100, periodDays: 1 });
  const { snapshots } = sandbox.control;
  await snapshots.save('market');
  return {
    /** Puts an app at the address, and the data and the time of the start into the sandbox. */
    async begin(app: Express) {
      current = app;
      clock.set(start);
      await snapshots.load('market');
      return { url, clock, sandbox };
    },
  };
}

/** Signs in by redirect: picks the user at the service, then consents. */
async function signIn(
  browser: Browser,
  email: string,
  { url, serviceUrl }: { url: string; serviceUrl: string },
): Promise<Page> {
  const headers = { origin: serviceUrl, 'content-type': 'application/x-www-form-urlencoded' };
  await browser.request(`${serviceUrl}/sandbox/sign-in`, {
    method: 'POST',
    headers,
    body: `${new URLSearchParams({ email, continue: '/account' })}`,
  });
  const consent = await browser.open(`${url}/auth/login?returnTo=/`);
  if (!consent.text.includes('action="/oauth/consent"')) return consent;
  const fields = hiddenFields(formIn(consent.text, '/oauth/consent'));
  return browser.open(`${serviceUrl}/oauth/consent`, {
    method: 'POST',
    headers,
    body: `${new URLSearchParams({ ...fields, decision: 'allow' })}`,
  });
}

/**
 * Pays as the buyer's browser does: opens the page and posts its form. Signing in at the site has signed the buyer in at the service too.
 * Returns the buyer's last address.
 */
export async function pay(browser: Browser, checkoutUrl: string, method: string): Promise<string> {
  const { origin } = new URL(checkoutUrl);
  const page = await browser.open(checkoutUrl);
  const answer = await browser.request(`${checkoutUrl}/pay`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ ...hiddenFields(formIn(page.text, '/pay')), method })}`,
  });
  if (answer.status !== 303) throw new Error(`Payment failed: ${answer.status} ${answer.text}`);
  return new URL(answer.headers.get('location') ?? '', origin).href;
}

/** Returns the first form whose action ends with a path. */
export function formIn(html: string, path: string): string {
  const forms = html.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((each) => attribute(each, 'action').endsWith(path));
  if (form === undefined) throw new Error(`The page has no form for ${path}: ${html}`);
  return form;
}

/** Returns the hidden fields of a form. */
export function hiddenFields(html: string): Record<string, string> {
  return Object.fromEntries(
    [...html.matchAll(/<input\b[^>]*\btype="hidden"[^>]*>/g)].map(([input]) => [
      attribute(input, 'name'),
      attribute(input, 'value'),
    ]),
  );
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
