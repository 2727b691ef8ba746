import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeMembership,
  type FakeUser,
  PUBLIC_CLIENT,
  type RunningFakeService,
  startFakeService,
} from '@latchkey/conformance/scripted-service';
import express, { type Express } from 'express';
import { type Latchkey, type LatchkeyOptions, latchkey } from '../src/index.js';
import { Browser, type Page } from './browser.js';
import { everyMembershipOfTheShop, SHOP_MEMBERS } from './community-directory.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { listen } from './listen.js';
import { type ManualClock, manualClock } from './manual-clock.js';

/** An Express app with Latchkey, and its service. */
export interface Shop {
  url: string;
  service: RunningFakeService;
  clock: ManualClock;
  auth: Latchkey;
  /** Messages for the operator. */
  log: { level: 'warn' | 'error'; message: string; details: unknown }[];
  browser: Browser;
  /** Signs the user in by redirect. Resolves with the final page. */
  signIn(user: FakeUser, options?: { browser?: Browser; path?: string }): Promise<Page>;
  /** Sends a code as the widget does. */
  exchange(
    code: Partial<ExchangeBody>,
    options?: { browser?: Browser; headers?: Record<string, string> },
  ): Promise<Page>;
  /** Returns the `sub` that the app receives for a user. */
  subOf(user: FakeUser): string;
  /** Returns memberships as the service lists them. */
  listed(memberships: readonly FakeMembership[]): FakeMembership[];
  /** Creates a code of the popup flow with its verifier. */
  popupCode(user: FakeUser, redirectUri?: string): ExchangeBody;
  /** The session cookie of a browser. */
  sessionCookie(browser?: Browser): { name: string; value: string; header: string } | undefined;
  close(): Promise<void>;
}

interface ExchangeBody {
  code: string;
  codeVerifier: string;
  redirectUri: string;
}

export interface ShopSetup {
  options?: Partial<LatchkeyOptions>;
  client?: 'confidential' | 'public';
  /** Shares the service and clock of another shop, which acts as another process or app. */
  beside?: Pick<Shop, 'service' | 'clock'>;
  /** Creates the app. By default with Express 5. */
  createApp?: () => Express;
  /** Mounts the router and routes. By default `/` greets, and `/members` and `/account` are gated. */
  routes?: (app: Express, auth: Latchkey) => void;
}

export async function startShop({
  options = {},
  client = 'confidential',
  beside,
  createApp = express,
  routes = defaultRoutes,
}: ShopSetup = {}): Promise<Shop> {
  const clock = beside?.clock ?? manualClock();
  const service = beside?.service ?? (await startFakeService({ clock }));
  const clientId = client === 'public' ? PUBLIC_CLIENT : CONFIDENTIAL_CLIENT;
  const app = createApp();
  app.set('env', 'test');
  const { url, close } = await listen(createServer(app));
  const log: Shop['log'] = [];
  const auth = latchkey({
    serviceUrl: service.url,
    clientId,
    ...(client === 'public' ? {} : { clientSecret: CLIENT_SECRET }),
    appUrl: url,
    cookieSecret: COOKIE_SECRET,
    // Tests count the requests to the service.
    checkClientAtStart: false,
    clock,
    directory: everyMembershipOfTheShop(),
    logger: {
      warn: (message, details) => log.push({ level: 'warn', message, details }),
      error: (message, details) => log.push({ level: 'error', message, details }),
    },
    ...options,
  });
  routes(app, auth);
  const browser = new Browser();
  const appUrl = options.appUrl ?? url;

  return {
    url,
    service,
    clock,
    auth,
    log,
    browser,
    async signIn(user, { browser: by = browser, path = '/' } = {}) {
      service.visitor = user;
      return by.open(`${appUrl}/auth/login?returnTo=${encodeURIComponent(path)}`);
    },
    exchange: (code, { browser: by = browser, headers = {} } = {}) =>
      by.request(`${url}/auth/exchange`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
        body: JSON.stringify(code),
      }),
    popupCode(user, redirectUri = `${service.url}/widget/callback/${clientId}`) {
      const codeVerifier = randomBytes(32).toString('base64url');
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      return {
        code: service.issueCode({ user, clientId, redirectUri, challenge }),
        codeVerifier,
        redirectUri,
      };
    },
    subOf: (user) => service.subOf(user, clientId),
    listed: (memberships) => memberships.map(service.listed),
    sessionCookie: (by = browser) => findSessionCookie(by),
    async close() {
      await close();
      if (beside === undefined) await service.close();
    },
  };
}

function findSessionCookie({ cookies }: Browser): ReturnType<Shop['sessionCookie']> {
  const found = [...cookies].find(([name]) => /^(__Host-)?latchkey_[0-9a-f]{8}$/.test(name));
  return found && { name: found[0], value: found[1].value, header: found[1].header };
}

function defaultRoutes(app: Express, auth: Latchkey): void {
  app.use(auth.router);
  app.get('/', (request, response) => {
    response.send(request.latchkey?.signedIn ? `Hello ${request.latchkey.user?.email}` : 'Hello stranger');
  });
  app.get('/members', auth.requireMembership(SHOP_MEMBERS), (_request, response) => {
    response.send('The table is set');
  });
  app.all('/account', auth.requireSignIn(), (request, response) => {
    response.send(`Account of ${request.latchkey?.user?.sub}`);
  });
}

/** Signs in up to the service. Returns the URL that it redirects the visitor to. */
export async function callbackUrl(browser: Browser, login: string): Promise<URL> {
  const away = await browser.request(login);
  const back = await browser.request(away.headers.get('location') ?? '');
  return new URL(back.headers.get('location') ?? '');
}
