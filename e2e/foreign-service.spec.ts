import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeUser, type RunningFakeService, startFakeService } from '@latchkey/conformance/scripted-service';
import { latchkey } from '@latchkey/express';
import { expect, type Page } from '@playwright/test';
import express from 'express';
import { test as base } from './calm-press.js';
import { loginOf, openPopup, signInButton } from './world.js';

const ROOT = join(import.meta.dirname, '..');
const POLICY = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'";
/** The folder that a site copies. */
const FILES = dirname(fileURLToPath(import.meta.resolve('@latchkey/widget/callback.js')));

/** The pages in the section of the widget's README about a service that serves nothing of the widget. */
const [, section = ''] = readFileSync(join(ROOT, 'packages/widget/README.md'), 'utf8').split(
  '\n## On the live service\n',
);
const [popupPage, redirectPage, backendPage] = [
  ...(section.split('\n## ')[0] ?? '').matchAll(/^```html\n(.*?)^```/gms),
].map(([, html = '']) => html);

interface Site {
  service: RunningFakeService;
  origin: string;
}

/** A site that serves the widget's files itself, and a service that serves none of them. */
const test = base.extend<{ openSite: (html: string | undefined, files?: string) => Promise<Site> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  openSite: async ({}, use) => {
    const closing: (() => unknown)[] = [];
    await use(async (html = '', files = FILES) => {
      const [, clientId = ''] = /client-id="([^"]+)"/.exec(html) ?? [];
      const app = express();
      const server = createServer(app);
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
      const redirectUris = ['/latchkey/callback.html', '/signed-in', '/auth/callback'].map(
        (path) => origin + path,
      );
      const service = await startFakeService({
        visitor: fakeUser('ada@example.com', [{}]),
        clients: [{ clientId, name: 'A shop', redirectUris }],
      });
      closing.push(
        service.close,
        () => server.close(),
        () => server.closeAllConnections(),
      );
      mountSite(app, { html, files, origin, clientId, serviceUrl: service.url });
      return { service, origin };
    });
    for (const close of closing) await close();
  },
});

function mountSite(
  app: express.Express,
  {
    html,
    files,
    origin,
    clientId,
    serviceUrl,
  }: { html: string; files: string; origin: string; clientId: string; serviceUrl: string },
): void {
  const hasBackend = html.includes('backend="/auth"');
  app.use((_request, response, next) => {
    response.set('Content-Security-Policy', `${POLICY}; connect-src 'self' ${hasBackend ? '' : serviceUrl}`);
    next();
  });
  app.use('/latchkey', express.static(files));
  if (hasBackend) {
    const auth = latchkey({
      serviceUrl,
      clientId,
      appUrl: origin,
      cookieSecret: 'a secret of this test only, and long enough',
      checkClientAtStart: false,
    });
    app.use(auth.router);
  }
  app.get('/{*path}', (_request, response) => {
    response.send(
      `<!doctype html><title>A page</title>${html.replaceAll('http://127.0.0.1:4400', serviceUrl)}`,
    );
  });
}

async function expectSignedIn(page: Page, { service }: Site): Promise<void> {
  await expect(loginOf(page)).toContainText('ada@example.com');
  expect(service.log().filter((line) => /widget|\/oauth\/client\//.test(line))).toEqual([]);
}

test('the page of the README signs in by popup [assumes token-cors]', async ({ page, openSite }) => {
  const site = await openSite(popupPage);
  await page.goto(`${site.origin}/beans`);
  await signInButton(page).click();
  await expectSignedIn(page, site);
});

test('the page of the README signs in by redirect and returns to where the visitor was [assumes token-cors]', async ({
  page,
  openSite,
}) => {
  const site = await openSite(redirectPage);
  await page.goto(`${site.origin}/beans?roast=dark#grind`);
  await signInButton(page).click();
  await expectSignedIn(page, site);
  await expect(page).toHaveURL(`${site.origin}/beans?roast=dark#grind`);
});

test('the page of the README with a backend signs in, and calls no endpoint of the service', async ({
  page,
  context,
  openSite,
}) => {
  const site = await openSite(backendPage);
  const called: string[] = [];
  context.on('request', (request) => {
    if (request.url().startsWith(site.service.url)) called.push(new URL(request.url()).pathname);
  });
  await page.goto(site.origin);
  await signInButton(page).click();
  await expectSignedIn(page, site);
  expect(called).toEqual(['/oauth/authorize']);
});

test('a site without the callback page learns which files to copy', async ({ page, openSite }) => {
  const site = await openSite(
    popupPage?.replace('src="/latchkey/latchkey.js"', 'src="/script/latchkey.js"'),
    '/nonexistent',
  );
  await page.route('**/script/latchkey*.js*', (route) => {
    const [file = ''] = /latchkey[\w-]*\.js/.exec(route.request().url()) ?? [];
    return route.fulfill({ path: join(FILES, file), contentType: 'text/javascript' });
  });
  const logged = page.waitForEvent('console', (message) => message.type() === 'error');
  await page.goto(site.origin);
  const popup = await openPopup(page);
  const closed = popup.isClosed() || popup.waitForEvent('close');
  expect((await logged).text()).toContain(`${site.origin}/latchkey/callback.html does not load callback.js`);
  await closed;
  await expect(loginOf(page)).toContainText('not set up correctly');
});
