import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LatchkeyClient } from '@latchkey/client';
import { latchkey, memoryDirectory } from '@latchkey/express';
import { sandboxApiKeyOf, sandboxScenario } from '@latchkey/sandbox';
import type { Clock, RunningServer } from '@latchkey/server';
import express from 'express';

const { community, plans, users, webhooks } = sandboxScenario;

const ON_SALE = [
  { id: plans.monthly.id, communityId: community.id, name: 'Monthly', price: '€9', term: 'per month' },
  { id: plans.lifetime.id, communityId: community.id, name: 'For life', price: '€199', term: 'once' },
];

/** A running site that sells memberships through the kit: with plain forms, and with the widget. */
export interface SellingSite {
  origin: string;
  /** Client with the API key of the sandbox. */
  client: LatchkeyClient;
  /** Headers of the deliveries that arrived, oldest first. */
  delivered: readonly IncomingHttpHeaders[];
  close(): void;
}

/**
 * Opens a site with a page that sells by forms (`/join`), one by elements (`/plans`) and one by a gate alone (`/gate`), one
 * for members (`/members`), and the chat (`/chat`).
 */
export async function openSellingSite({
  service,
  clock,
}: {
  service: Pick<RunningServer, 'baseUrl' | 'operator' | 'serviceNames'>;
  clock: Clock;
}): Promise<SellingSite> {
  const app = express().disable('x-powered-by');
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const origin = `http://localhost:${port}`;
  const { clientId, clientSecret } = await service.operator.registerClient({
    name: 'Corner Shop',
    type: 'confidential',
    scopes: ['memberships.read'],
    redirectUris: [`${origin}/auth/callback`],
    widgetOrigins: [origin],
    ownerId: users.dana.id,
    hostedCallback: true,
  });
  await service.operator.change('webhooks', webhooks.community.id, {
    url: `http://127.0.0.1:${port}/webhooks`,
  });
  const { baseUrl: serviceUrl, serviceNames } = service;
  const auth = latchkey({
    serviceUrl,
    serviceNames,
    clientId,
    clientSecret,
    appUrl: origin,
    cookieSecret: 'a secret of this test only, and long enough',
    directory: memoryDirectory(),
    upgradeUrl: '/join',
    clock,
    logger: { warn: () => {}, error: () => {} },
  });
  const client = new LatchkeyClient({ serviceUrl, serviceNames, apiKey: sandboxApiKeyOf(serviceNames) });
  const delivered: IncomingHttpHeaders[] = [];
  app.use('/webhooks', ({ headers }, _response, next) => {
    delivered.push(headers);
    next();
  });
  app.all('/webhooks', auth.webhooks({ communities: { [community.id]: webhooks.community.secret } }));
  app.use(auth.router);
  app.use(auth.checkout({ client, plans: ON_SALE }));
  app.get('/', (_request, response) => {
    response.send('<h1>Corner Shop</h1>');
  });
  app.get('/join', (_request, response) => {
    const forms = ON_SALE.map(
      ({ id, name, price, term }) =>
        `<form method="post" action="/auth/checkout"><input type="hidden" name="plan" value="${id}">
         <input type="hidden" name="returnTo" value="/members"><button>${name}: ${price} ${term}</button></form>`,
    );
    response.send(`<h1>Join us</h1>${forms.join('')}`);
  });
  const attributes = `client-id="${clientId}" backend="/auth"`;
  const gate = `community="${community.id}"><p>The table is set</p></latchkey-gate>`;
  const pages = {
    '/plans': `<latchkey-plans ${attributes} return-to="/plans"></latchkey-plans><latchkey-gate ${gate}`,
    '/gate': `<latchkey-gate ${attributes} ${gate}`,
  };
  app.get(Object.keys(pages), ({ path }, response) => {
    response.send(`<!doctype html><html lang="en"><title>Plans</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <style>
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
        main { max-width: 60rem; margin: 2rem auto; padding-inline: 1rem; }
        latchkey-gate { display: block; margin-block-start: 1.5rem; }
      </style>
      <script src="${service.baseUrl}/widget/latchkey-plans.js" defer></script>
      <script src="${service.baseUrl}/widget/latchkey.js" defer></script>
      <main><h1>Join us</h1>${pages[path as keyof typeof pages]}</main></html>`);
  });
  app.get('/members', auth.requireMembership({ communityId: community.id }), (_request, response) => {
    response.send(`<h1>The table is set</h1><a href="/chat">Join the chat</a>
      <form method="post" action="/auth/logout"><button>Sign out</button></form>`);
  });
  app.get('/chat', auth.inviteLink({ client, plans: ON_SALE }));
  return {
    origin,
    client,
    delivered,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
