import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { latchkey } from '@latchkey/express';
import type { Clock, RunningServer } from '@latchkey/server';
import express, { type Request, type Response } from 'express';

/** Where a shop has its own callback, for popups of widgets with `callback-url`. */
export const OWN_CALLBACK = '/callback';

/** What differs from one shop to the next; without any of it: a page with a popup, standalone, tokens in memory. */
export interface ShopOptions {
  /** Mounts the kit at `/auth`, with a confidential client. */
  backend?: boolean;
  /** More attributes of `<latchkey-login>`. */
  attributes?: string;
  /** Paths of the shop that are registered as redirect URIs. */
  redirectPaths?: readonly string[];
  /** Whether the shop's origin may have codes through the hosted callback. Default true. */
  originAllowed?: boolean;
  /** More headers of its pages; one that is set here replaces the default, an empty one takes it away. */
  headers?: Readonly<Record<string, string>>;
  /** Attributes of `<html>`. Default `lang="en"`. */
  language?: string;
  /** The page's script tags. Default: the widget as its README has it. */
  scripts?: (serviceUrl: string) => string;
  /** A style sheet of the shop's own, at an address of its own. */
  styles?: string;
  /** Right after the login element. */
  beside?: string;
  /** What is in the gate. Default: a sentence for members. */
  gated?: string;
  /** More of the page, after the widget. */
  more?: string;
  /** Whether `/go?to=` sends everybody anywhere. */
  opensRedirects?: boolean;
  /** What the shop's client is called, and says of itself at consent. */
  client?: { name?: string; description?: string; logoUrl?: string };
}

/** A site with the widget, on an origin of its own and with a client of its own, while the test runs. */
export interface Shop {
  url: string;
  origin: string;
  clientId: string;
  /** Every request that reached it, as `METHOD path?query`. */
  requests: string[];
  close(): void;
}

/**
 * The strictest policy under which the widget is promised to work: nothing but its script, and where it asks. Every shop
 * sends it, so that each test is one of it.
 */
function strictPolicy(service: string, connect: string, hasStyles: boolean): string {
  return `default-src 'none'; ${hasStyles ? "style-src 'self'; " : ''}script-src ${service}; connect-src ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** Opens a shop: every path shows the same page, `/members` is for members only, `/callback` is its own callback. */
export async function openShop(
  { service, clock }: { service: RunningServer; clock: Clock },
  options: ShopOptions = {},
): Promise<Shop> {
  const { backend = false, redirectPaths = [], originAllowed = true, client } = options;
  const app = express().disable('x-powered-by');
  const server: Server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const dana = await service.operator.findUser('dana@example.com');
  const { clientId, clientSecret } = await service.operator.registerClient({
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
  const shop: Shop = {
    url: `${origin}/`,
    origin,
    clientId,
    requests: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  app.use((request, _response, next) => {
    shop.requests.push(`${request.method} ${request.originalUrl}`);
    next();
  });
  const serviceUrl = service.baseUrl;
  const send = (response: Response, html: string) => {
    response.set(
      'Content-Security-Policy',
      strictPolicy(serviceUrl, backend ? "'self'" : `${serviceUrl} 'self'`, options.styles !== undefined),
    );
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      if (value === '') response.removeHeader(name);
      else response.set(name, value);
    }
    response.type('html').send(html);
  };
  const members = '<p>The safe is behind the painting.</p>';
  if (backend) {
    const kit = latchkey({
      serviceUrl,
      clientId,
      clientSecret,
      appUrl: origin,
      cookieSecret: 'a secret of this test only, and long enough',
      clock,
      widgetCallbackUrl: OWN_CALLBACK,
      logger: { warn: () => {}, error: () => {} },
    });
    app.use(kit.router);
    app.get('/members', kit.requireMembership({ productType: 'community' }), (_request, response) => {
      response.send(members);
    });
  } else {
    app.get('/members', async (request, response) => {
      response.status(await statusFor(request, serviceUrl)).send(members);
    });
  }
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
  return shop;
}

/** What a site without sessions of its own does with the widget's token: it asks the service. */
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

/** As the widget's README has it: nothing but the script. */
function ownCallbackPage(serviceUrl: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Signing in</title><script src="${serviceUrl}/widget/callback.js" defer></script></head>
<body></body></html>`;
}
