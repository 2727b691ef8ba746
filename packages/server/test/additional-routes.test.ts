import express from 'express';
import { describe, expect } from 'vitest';
import type { ServerOptions } from '../src/index.js';
import { messagePage, sendPage } from '../src/ui.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, startService } from './service-under-test.js';

const HTML = { headers: { accept: 'text/html' } };

function startWithRoutes(options: ServerOptions) {
  return startService({ sandbox: false, mailer: { send: async () => undefined }, ...options });
}

describe('additional routes', () => {
  it('can be an Express app: its pages and the failure pages after it show the site', async ({
    onTestFinished,
  }) => {
    const app = express();
    app.get('/extra', (_request, response) => {
      sendPage(response, messagePage({ title: 'Extra', text: 'An additional page.' }));
    });
    const site = { homePath: '/extra', banner: { label: 'Notice', badge: 'Test', text: 'Test data only.' } };
    const service = await startWithRoutes({ routes: () => app, site });
    onTestFinished(() => service.server.close());
    for (const [path, status] of [
      ['/extra', 200],
      ['/nope', 404],
    ] as const) {
      const response = await service.request(path, HTML);
      expect(response.status, path).toBe(status);
      expect(textOf(parsePage(await response.text()), 'body'), path).toContain('Test data only.');
    }
  });

  it('cannot replace a route of the server, its stylesheet or its home', async ({ onTestFinished }) => {
    const service = await startWithRoutes({
      routes: () => (_request, response) => void response.status(418).end(),
    });
    onTestFinished(() => service.server.close());
    const signIn = await service.request('/sign-in', HTML);
    expect(signIn.status).toBe(200);
    const [stylesheet] = /\/assets\/pages\.[0-9a-f]+\.css/.exec(await signIn.text()) ?? [];
    expect((await service.request(stylesheet ?? '/missing')).headers.get('content-type')).toContain(
      'text/css',
    );
    expect((await service.request('/')).headers.get('location')).toBe('/account');
    expect((await service.request('/extra')).status).toBe(418);
  });

  it('come after a handler that intercepts requests for the own host, and can answer them', async ({
    onTestFinished,
  }) => {
    const seen: string[] = [];
    const service = await startWithRoutes({
      intercept:
        ({ baseUrl, db }) =>
        async (request, response, next) => {
          seen.push(`${baseUrl}${request.path}`);
          await db.selectFrom('users').select('id').execute();
          if (request.path === '/oauth/userinfo') response.status(418).end();
          else next();
        },
    });
    onTestFinished(() => service.server.close());
    expect((await service.request('/oauth/userinfo')).status).toBe(418);
    expect((await service.request('/oauth/memberships')).status).toBe(401);
    expect(seen).toEqual([`${service.baseUrl}/oauth/userinfo`, `${service.baseUrl}/oauth/memberships`]);
  });

  it('are loaded again after a failed load', async ({ onTestFinished }) => {
    let loads = 0;
    const service = await startWithRoutes({
      async routes() {
        loads += 1;
        if (loads === 1) throw new Error('not reachable');
        return (_request, response) => void response.status(204).end();
      },
    });
    onTestFinished(() => service.server.close());
    expect((await service.request('/extra', HTML)).status).toBe(500);
    expect((await service.request('/extra', HTML)).status).toBe(204);
  });
});
