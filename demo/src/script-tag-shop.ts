import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sandboxScenario } from '@latchkey/sandbox';
import express, { type Express } from 'express';
import { escapeHtml } from './html.js';
import { publicFolder } from './public-folder.js';
import { shopHeaders } from './shop-headers.js';

/** Values that differ between starts of the demo. The rest of the page is fixed. */
export interface ScriptTagShopOptions {
  serviceUrl: string;
  clientId: string;
  backendShopUrl: string;
}

/**
 * The shop without a backend: static files that load the widget by its script tag. Any static host could
 * serve it. Here the server inserts the addresses once, because the demo's ports are configurable.
 */
export function scriptTagShop({ serviceUrl, clientId, backendShopUrl }: ScriptTagShopOptions): Express {
  const membershipId = sandboxScenario.memberships.adaCommunity.id;
  const places = { serviceUrl, clientId, backendShopUrl, membershipId };
  const page = fillIn(readFileSync(publicFolder('script-tag/index.html'), 'utf8'), places);
  const gallery = fillIn(readFileSync(publicFolder('script-tag/gallery.html'), 'utf8'), places);
  const app = express();
  app.disable('x-powered-by');
  app.use(shopHeaders(serviceUrl, { hasBackend: false }));
  app.get(['/', '/index.html'], (_request, response) => {
    response.type('html').send(page);
  });
  // Every state of both elements, with the fixed sessions of the widget's testing entry.
  app.get(['/gallery', '/gallery.html'], (_request, response) => {
    response.type('html').send(gallery);
  });
  const testing = fileURLToPath(new URL('.', import.meta.resolve('@latchkey/widget/testing')));
  app.use('/latchkey-testing', express.static(testing, { index: false }));
  app.use('/assets', express.static(publicFolder('assets')));
  app.use(express.static(publicFolder('script-tag'), { index: false }));
  return app;
}

/** Replaces each `{{name}}` with its value. Throws an error if a value is missing. */
function fillIn(page: string, values: Record<string, string>): string {
  return page.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The page asks for {{${name}}}, which the demo does not know.`);
    return escapeHtml(value);
  });
}
