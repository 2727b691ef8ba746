import { readFileSync } from 'node:fs';
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
  const page = fillIn(readFileSync(publicFolder('script-tag/index.html'), 'utf8'), {
    serviceUrl,
    clientId,
    backendShopUrl,
  });
  const app = express();
  app.disable('x-powered-by');
  app.use(shopHeaders(serviceUrl, { hasBackend: false }));
  app.get(['/', '/index.html'], (_request, response) => {
    response.type('html').send(page);
  });
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
