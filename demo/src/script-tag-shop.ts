import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';
import { escapeHtml } from './html.js';
import { publicFolder } from './public-folder.js';
import { shopHeaders } from './shop-headers.js';

/** What differs from one start of the demo to the next; everything else in the page is fixed. */
export interface ScriptTagShopOptions {
  serviceUrl: string;
  clientId: string;
  backendShopUrl: string;
}

/**
 * The shop that has no backend: static files, with the widget by its script tag. A real one would be any static host; here
 * the page's addresses are filled in once, because the demo's ports can be chosen.
 */
export function scriptTagShop({ serviceUrl, clientId, backendShopUrl }: ScriptTagShopOptions): Express {
  const places = { serviceUrl, clientId, backendShopUrl };
  const page = fillIn(readFileSync(publicFolder('script-tag/index.html'), 'utf8'), places);
  const gallery = fillIn(readFileSync(publicFolder('script-tag/gallery.html'), 'utf8'), places);
  const app = express();
  app.disable('x-powered-by');
  app.use(shopHeaders(serviceUrl, { hasBackend: false }));
  app.get(['/', '/index.html'], (_request, response) => {
    response.type('html').send(page);
  });
  // Every state of both elements, by the sessions that stand still of the widget's entry for tests.
  app.get(['/gallery', '/gallery.html'], (_request, response) => {
    response.type('html').send(gallery);
  });
  const testing = fileURLToPath(new URL('.', import.meta.resolve('@latchkey/widget/testing')));
  app.use('/latchkey-testing', express.static(testing, { index: false }));
  app.use('/assets', express.static(publicFolder('assets')));
  app.use(express.static(publicFolder('script-tag'), { index: false }));
  return app;
}

/** Puts values in the places written `{{name}}`. A place without a value is a mistake in the page. */
function fillIn(page: string, values: Record<string, string>): string {
  return page.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The page asks for {{${name}}}, which the demo does not know.`);
    return escapeHtml(value);
  });
}
