import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { LatchkeyClient } from '@latchkey/client';
import { sandboxScenario } from '@latchkey/sandbox';
import express from 'express';
import { longIf } from './levels.js';
import { mountKit } from './shop.js';
import { expect, loginOf, signInWithPopup, test, type World } from './world.js';

const { apiKey, community, confidentialClient, plans, publicClient, users } = sandboxScenario;
const ROOT = join(import.meta.dirname, '..');
const BACKEND = 'backend="/auth"';
const FAIL_CLOSED =
  /<style>[^<]*latchkey-gate:not\(:defined\)[^<]*\{\s*display:\s*none|<template shadowrootmode="open"><\/template>/;

/** The HTML snippets in the documents that contain an element of the widget. */
const snippets = globSync('{README.md,{docs,packages,examples}/**/*.md}', {
  cwd: ROOT,
  exclude: ['**/{node_modules,dist}/**'],
}).flatMap((document) =>
  [...readFileSync(join(ROOT, document), 'utf8').matchAll(/^```html\n(.*?)^```/gms)]
    .map(([, html = ''], index) => ({ name: `${document}, piece ${index + 1}`, html }))
    // Pages that serve the script themselves are tested in foreign-service.spec.ts.
    .filter(({ html }) => /<latchkey-/.test(html) && !html.includes('src="/latchkey/')),
);

/** Returns a page with the snippet, the widget's scripts that it lacks, and its service at the address of the test. */
function pageWith(html: string, { service }: World): string {
  const missing = ['latchkey.js', 'latchkey-plans.js']
    .filter((file) => !html.includes(`/widget/${file}`))
    .map((file) => `<script src="http://127.0.0.1:4400/widget/${file}" defer></script>`);
  const page = `<!doctype html><title>A page</title>${missing.join('')}${html}`;
  return page.replaceAll('http://127.0.0.1:4400', service.baseUrl);
}

/** Serves the page on a site of the snippet's client. With `backend="/auth"`, the site mounts the kit and sells plans. */
async function openSite(world: World, html: string) {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { service, clock } = world;
  const client = html.includes(confidentialClient.clientId) ? confidentialClient : publicClient;
  await service.operator.change('clients', client.clientId, {
    widgetOrigins: [origin],
    redirectUris: [`${origin}/auth/callback`, `${origin}/signed-in`],
    hostedCallback: true,
  });
  if (html.includes(BACKEND)) {
    const auth = await mountKit(app, { origin, serviceUrl: service.baseUrl, clock, ...client });
    const plan = { communityId: community.id, name: 'Monthly', price: '€9', term: 'per month' };
    app.use(
      auth.checkout({
        client: new LatchkeyClient({ serviceUrl: service.baseUrl, apiKey }),
        plans: [{ id: plans.monthly.id, ...plan }],
      }),
    );
  }
  app.get('/{*path}', (_request, response) => {
    response.send(pageWith(html, world));
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, close };
}

test('the documents contain the snippets that the tests need', () => {
  const gated = snippets.filter(({ html }) => html.includes('<latchkey-gate'));
  expect(gated.length).toBeGreaterThan(2);
  expect(gated.filter(({ html }) => !FAIL_CLOSED.test(html)).map(({ name }) => name)).toEqual([]);
  const unasked = gated.filter(({ html }) => !html.includes(BACKEND) || !html.includes(community.id));
  expect(unasked.map(({ name }) => name)).toEqual([]);
});

/** Every gate names its community, as the test above asserts. So the short form tries one of them as a stranger. */
const firstGated = snippets.find(({ html }) => html.includes('<latchkey-gate'))?.name;

/** True for all but the first page of the widget's README: the others show one attribute or element each. */
const isDetail = (name: string) => /^packages\/widget\/README\.md, piece (?!1$)/.test(name);

const VISITORS = [
  ['a member', users.ada.email, 'open'],
  ['the member of another seller’s community', users.eve.email, 'locked'],
] as const;

for (const { name, html } of snippets) {
  for (const [who, email, state] of html.includes('<latchkey-gate') ? VISITORS : VISITORS.slice(0, 1)) {
    const isVariation = state === 'locked' ? name !== firstGated : isDetail(name);
    test(`the HTML in ${name} works unchanged, for ${who}`, longIf(isVariation), async ({ page, world }) => {
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      const site = await openSite(world, html);
      try {
        await page.goto(site.origin);
        if (/<latchkey-(login|gate)/.test(html)) {
          await signInWithPopup(page, email);
          if (html.includes('<latchkey-login')) await expect(loginOf(page)).toContainText(email);
        }
        for (const gate of await page.locator('latchkey-gate').all())
          await expect(gate).toHaveJSProperty('state', state);
        for (const seller of await page.locator('latchkey-plans, latchkey-join').all())
          await expect(seller).toHaveJSProperty('state', 'ready');
        expect(problems).toEqual([]);
      } finally {
        site.close();
      }
    });
  }
}
