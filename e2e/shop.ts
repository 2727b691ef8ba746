import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Latchkey, latchkey, sqliteDirectory } from '@latchkey/express';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Clock, RunningServer } from '@latchkey/server';
import express, { type Express, type Request, type Response } from 'express';

/** Path of a shop's own callback, for popups of widgets with `callback-url`. */
export const OWN_CALLBACK = '/callback';

const MEMBERS_TEXT = '<p>The safe is behind the painting.</p>';

/**
 * Options of a shop. By default it has one page, signs in by popup without a backend, and keeps tokens in
 * memory.
 */
export interface ShopOptions {
  /**
   * True to mount the kit at `/auth`, with a confidential client.
   * @default false
   */
  backend?: boolean;
  /** Additional attributes of `<latchkey-login>`. */
  attributes?: string;
  /** Paths of the shop to register as redirect URIs. */
  redirectPaths?: readonly string[];
  /**
   * True if the hosted callback may send codes to the shop's origin.
   * @default true
   */
  originAllowed?: boolean;
  /**
   * Additional headers of its pages. A header replaces the default of that name; an empty value removes it.
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * Attributes of `<html>`.
   * @default 'lang="en"'
   */
  language?: string;
  /** The page's script tags. By default they load the widget as its README shows. */
  scripts?: (serviceUrl: string) => string;
  /** A style sheet that the shop serves at its own address. */
  styles?: string;
  /** HTML right after the login element. */
  beside?: string;
  /** HTML inside the gate. By default a sentence for members. */
  gated?: string;
  /** HTML after the widget. */
  more?: string;
  /**
   * True if `/go?to=` redirects to any address.
   * @default false
   */
  opensRedirects?: boolean;
  /** Name, description and logo of the shop's client on the consent page. */
  client?: { name?: string; description?: string; logoUrl?: string };
}

/** A running site with the widget, with its own origin and its own client. */
export interface Shop {
  url: string;
  origin: string;
  clientId: string;
  /** Every request to the shop, as `METHOD path?query`. */
  requests: string[];
  close(): void;
}

/**
 * Returns the strictest policy that the widget supports: it allows only the widget's script and its requests.
 * Every shop sends this policy, so every test also tests the policy.
 */
function strictPolicy(service: string, connect: string, hasStyles: boolean): string {
  return `default-src 'none'; ${hasStyles ? "style-src 'self'; " : ''}script-src ${service}; connect-src ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** Opens a shop. Every path shows the same page, except `/members` for members and the callback at `/callback`. */
export async function openShop(
  { service, clock }: { service: RunningServer; clock: Clock },
  options: ShopOptions = {},
): Promise<Shop> {
  const app = express().disable('x-powered-by');
  const server: Server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const client = await registerClientOf(origin, service, options);
  const requests: string[] = [];
  app.use((request, _response, next) => {
    requests.push(`${request.method} ${request.originalUrl}`);
    next();
  });
  const serviceUrl = service.baseUrl;
  if (options.backend) await mountKit(app, { origin, serviceUrl, clock, ...client });
  else mountTokenCheck(app, serviceUrl);
  mountPages(app, options, { serviceUrl, clientId: client.clientId });
  return {
    url: `${origin}/`,
    origin,
    clientId: client.clientId,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function registerClientOf(origin: string, service: RunningServer, options: ShopOptions) {
  const { backend = false, redirectPaths = [], originAllowed = true, client } = options;
  const dana = await service.operator.findUser('dana@example.com');
  return await service.operator.registerClient({
    name: 'Corner Shop',
    ...client,
    type: backend ? 'confidential' : 'public',
    scopes: ['memberships.read'],
    redirectUris: [...redirectPaths, ...(backend ? ['/auth/callback'] : [])].map(
      (path) => `${origin}${path}`,
    ),
    widgetOrigins: originAllowed ? [origin] : [],
    ownerId: dana.id,
    hostedCallback: true,
  });
}

interface KitOptions {
  origin: string;
  serviceUrl: string;
  clock: Clock;
  clientId: string;
  clientSecret?: string | undefined;
}

/** Mounts the backend kit, which gates the members' page, and returns it. */
export async function mountKit(
  app: Express,
  { origin, serviceUrl, clock, clientId, clientSecret }: KitOptions,
): Promise<Latchkey> {
  const auth = latchkey({
    serviceUrl,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    appUrl: origin,
    cookieSecret: 'a secret of this test only, and long enough',
    clock,
    directory: sqliteDirectory(':memory:'),
    widgetCallbackUrl: OWN_CALLBACK,
    logger: { warn: () => {}, error: () => {} },
  });
  const { community, memberships, webhooks } = sandboxScenario;
  await auth.directory.record({ membershipId: memberships.adaCommunity.id, communityId: community.id });
  app.all('/webhooks', auth.webhooks({ communities: { [community.id]: webhooks.community.secret } }));
  app.use(auth.router);
  app.get(
    ['/members', '/members/roast-log'],
    auth.requireMembership({ communityId: sandboxScenario.community.id }),
    (_request, response) => {
      response.send(MEMBERS_TEXT);
    },
  );
  return auth;
}

/** Serves the members' page to requests with a member's token. */
function mountTokenCheck(app: Express, serviceUrl: string): void {
  app.get('/members', async (request, response) => {
    response.status(await statusFor(request, serviceUrl)).send(MEMBERS_TEXT);
  });
}

function mountPages(
  app: Express,
  options: ShopOptions,
  { serviceUrl, clientId }: { serviceUrl: string; clientId: string },
): void {
  const connect = options.backend ? "'self'" : `${serviceUrl} 'self'`;
  const policy = strictPolicy(serviceUrl, connect, options.styles !== undefined);
  const send = (response: Response, html: string) => {
    response.set('Content-Security-Policy', policy);
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value === '') response.removeHeader(name);
      else response.set(name, value);
    }
    response.type('html').send(html);
  };
  if (options.opensRedirects) {
    app.get('/go', (request, response) => response.redirect(String(request.query.to)));
  }
  app.get('/style.css', (_request, response) => {
    response.type('css').send(options.styles ?? '');
  });
  app.get(OWN_CALLBACK, (_request, response) => {
    response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    send(response, ownCallbackPage(serviceUrl));
  });
  app.get('/{*path}', (_request, response) => send(response, shopPage(options, serviceUrl, clientId)));
}

/**
 * Returns the status for a request with the widget's token. A site without sessions checks it at the service.
 */
async function statusFor(request: Request, serviceUrl: string): Promise<number> {
  const { authorization = '' } = request.headers;
  const answer = await fetch(`${serviceUrl}/oauth/memberships`, { headers: { authorization } });
  if (!answer.ok) return 401;
  const { memberships } = (await answer.json()) as { memberships: { productType: string }[] };
  return memberships.some(({ productType }) => productType === 'community') ? 200 : 403;
}

function shopPage(options: ShopOptions, serviceUrl: string, clientId: string): string {
  const {
    backend,
    attributes = '',
    language = 'lang="en"',
    scripts = defaultScripts,
    styles,
    more = '',
  } = options;
  const { beside = '', gated = '<p>Members see this.</p>' } = options;
  return `<!doctype html>
<html ${language}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Corner Shop</title>
${styles === undefined ? '' : '<link rel="stylesheet" href="/style.css">'}${scripts(serviceUrl)}</head>
<body><main><h1>Corner Shop</h1>
<latchkey-login client-id="${clientId}" ${backend ? 'backend="/auth"' : ''} ${attributes}></latchkey-login>
${beside}
<latchkey-gate product-type="community">${gated}</latchkey-gate>
${more}</main></body></html>`;
}

function defaultScripts(serviceUrl: string): string {
  return `<script src="${serviceUrl}/widget/latchkey.js" defer></script>`;
}

/** Returns the callback page of the widget's README, which contains only the script. */
function ownCallbackPage(serviceUrl: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Signing in</title><script src="${serviceUrl}/widget/callback.js" defer></script></head>
<body></body></html>`;
}
