import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { latchkey as kit, memoryDirectory, webhooks } from '@latchkey/express';
import { type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import type { RegisterClient } from '@latchkey/server';
import express, { type Express } from 'express';
import { onTestFinished } from 'vitest';

const silent = { warn: () => {}, error: () => {} };
const COMMUNITY = sandboxScenario.community.id;
export const WEBHOOK_SECRET = 'ab'.repeat(32);

/** Addresses of a planted site. */
export interface SiteParts {
  readonly origin: string;
  readonly serviceUrl: string;
  readonly clientId: string;
  /** Address of the server itself, if a proxy is in front of it. */
  readonly behind?: string;
}

/** Changes of a good site. */
export interface Plant {
  /** Changes the HTML. */
  page?(html: string, parts: SiteParts): string;
  /** Headers of the page; undefined removes one. */
  headers?(parts: SiteParts): Record<string, string | undefined>;
  /** Adds routes before all others. */
  before?(app: Express, parts: SiteParts): void;
  /** Options of the kit, or false for a site without it. */
  kit?: false | ((parts: SiteParts) => Partial<Parameters<typeof kit>[0]>);
  /** Changes the registration of the client. */
  client?(parts: SiteParts): Partial<RegisterClient>;
  webhookSecret?: string;
  /** Origin that browsers see, if a proxy is in front of the site. */
  origin?: string;
}

/** A site that is set up as the READMEs say. */
const goodPage = ({ serviceUrl, clientId }: SiteParts) => `<!doctype html>
<html lang="en">
  <head>
    <title>Shop</title>
    <script src="${serviceUrl}/widget/latchkey.js" defer></script>
    <script src="${serviceUrl}/widget/latchkey-plans.js" defer></script>
    <script src="/app.js" defer></script>
  </head>
  <body>
    <latchkey-login client-id="${clientId}" backend="/auth"></latchkey-login>
    <latchkey-gate backend="/auth" community="${COMMUNITY}" src="/members">
      <p slot="locked">Join us</p>
    </latchkey-gate>
    <latchkey-plans backend="/auth"><h2 slot="heading">Join</h2></latchkey-plans>
  </body>
</html>`;

const goodHeaders = ({ serviceUrl }: SiteParts): Record<string, string | undefined> => ({
  'Content-Security-Policy': `default-src 'none'; script-src 'self' ${serviceUrl}; connect-src 'self'; frame-ancestors 'none'`,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
});

let clients = 0;

/** Starts a site with the real kit, at the sandbox. It is good except for what is planted. */
export async function startSite(sandbox: RunningSandbox, plant: Plant = {}): Promise<SiteParts> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(
    () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  );
  clients += 1;
  const parts: SiteParts = {
    origin: plant.origin ?? `http://localhost:${(server.address() as AddressInfo).port}`,
    serviceUrl: sandbox.baseUrl,
    clientId: `oac_${clients.toString(16).padStart(24, '0')}`,
  };
  await sandbox.operator.registerClient({
    clientId: parts.clientId,
    ownerId: sandboxScenario.users.dana.id,
    type: 'public',
    name: 'Planted',
    scopes: ['memberships.read'],
    redirectUris: [`${parts.origin}/auth/callback`],
    widgetOrigins: [parts.origin],
    hostedCallback: true,
    ...plant.client?.(parts),
  });
  server.on('request', appOf(parts, plant));
  return {
    ...parts,
    ...(plant.origin !== undefined && { behind: localUrl(server.address() as AddressInfo) }),
  };
}

const localUrl = ({ port }: AddressInfo) => `http://127.0.0.1:${port}`;

function appOf(parts: SiteParts, plant: Plant): Express {
  const app = express();
  app.disable('x-powered-by');
  plant.before?.(app, parts);
  app.get('/app.js', (_request, response) => void response.type('js').send('// nothing'));
  app.all(
    '/webhooks',
    webhooks({ secret: plant.webhookSecret ?? WEBHOOK_SECRET, store: 'memory', logger: silent }),
  );
  if (plant.kit !== false) {
    const auth = kit({
      serviceUrl: parts.serviceUrl,
      clientId: parts.clientId,
      appUrl: parts.origin,
      cookieSecret: 'a secret of at least 32 characters',
      directory: memoryDirectory(),
      checkClientAtStart: false,
      logger: silent,
      ...plant.kit?.(parts),
    });
    app.use(auth.router);
    app.get('/members', auth.requireMembership({ communityId: COMMUNITY }), (_request, response) => {
      response.send('For members');
    });
  }
  app.get('/', (_request, response) => {
    for (const [name, value] of Object.entries({ ...goodHeaders(parts), ...plant.headers?.(parts) }))
      if (value !== undefined) response.set(name, value);
    response.send(plant.page?.(goodPage(parts), parts) ?? goodPage(parts));
  });
  return app;
}
