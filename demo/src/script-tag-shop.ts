import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from '@latchkey/contract/constants';
import { type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import express, { type Express } from 'express';
import { howButton, staticDrawer } from './how/how-drawer.js';
import { liveRoutes } from './how/live-routes.js';
import { createShopCalls } from './how/shop-calls.js';
import { Html, html } from './html.js';
import { LESSONS } from './lessons.js';
import { publicFolder, shopHeaders } from './serving.js';

/** Addresses of the shop and its neighbor, and the sandbox in this process. */
export interface ScriptTagShopOptions {
  /** The service. Only the demo's drawer and countdown read the sandbox itself. */
  service: Pick<RunningSandbox, 'baseUrl' | 'clock' | 'control' | 'operator'>;
  /** The shop's origin, as browsers see it. */
  shopUrl: string;
  backendShopUrl: string;
}

/** Pages by path. The gallery shows every state of the elements, with the fixed sessions of the widget's testing entry. */
const PAGES = { '/': 'index.html', '/gallery': 'gallery.html', '/lesson': 'lesson.html' };

const { adaCommunity, adaProduct } = sandboxScenario.memberships;

/** Names of Ada's memberships. Without a backend, the widget knows only the ids of the memberships themselves. */
const MEMBERSHIP_NAMES = JSON.stringify({
  [adaCommunity.id]: 'The Roaster’s Table',
  [adaProduct.id]: sandboxScenario.products.brewGuide.name,
});

/**
 * The shop without a backend: static files that load the widget by its script tag. Any static host could
 * serve it. Here the server inserts the addresses once, because the demo's ports are configurable. It also serves the
 * demo's drawer and countdown.
 */
export function scriptTagShop(options: ScriptTagShopOptions): Express {
  const { service, shopUrl } = options;
  const { publicClient, community } = sandboxScenario;
  const places = placesOf(options);
  const pageOf = (name: string) => fillIn(readFileSync(publicFolder(`script-tag/${name}`), 'utf8'), places);
  const app = express();
  app.disable('x-powered-by');
  app.use(shopHeaders(service.baseUrl, { hasBackend: false }));
  for (const [path, name] of Object.entries(PAGES)) {
    const page = pageOf(name);
    app.get([path, `/${name}`], (_request, response) => {
      response.type('html').send(page);
    });
  }
  const testing = fileURLToPath(new URL('.', import.meta.resolve('@latchkey/widget/testing')));
  app.use('/latchkey-testing', express.static(testing, { index: false }));
  app.use('/assets', express.static(publicFolder('assets')));
  const calls = createShopCalls(service, { clientId: publicClient.clientId, webhookIds: [] });
  app.use(liveRoutes({ service, calls, communityId: community.id, hosts: [new URL(shopUrl).host] }));
  const notFound = pageOf('not-found.html');
  app.get('/not-found.html', (_request, response) => {
    response.redirect('/');
  });
  app.use(express.static(publicFolder('script-tag'), { index: false }));
  app.use((_request, response) => {
    response.status(404).type('html').send(notFound);
  });
  return app;
}

function placesOf({ service, backendShopUrl }: ScriptTagShopOptions): Record<string, string | Html> {
  return {
    serviceUrl: service.baseUrl,
    clientId: sandboxScenario.publicClient.clientId,
    backendShopUrl,
    membershipId: sandboxScenario.memberships.adaCommunity.id,
    membershipNames: MEMBERSHIP_NAMES,
    drawer: staticDrawer(service.baseUrl),
    howButton,
    lessons: lessonRows(backendShopUrl),
    freeLesson: html`${LESSONS.filter(({ isFree }) => isFree).flatMap(({ paragraphs }) => paragraphs.map((text) => html`<p>${text}</p>`))}`,
  };
}

/** The lessons. Those for members are at the shop with a backend, because static files can't be guarded. */
function lessonRows(backendShopUrl: string): Html {
  return html`${LESSONS.map(
    ({ slug, title, teaser, isFree, minutes, video }, index) => html`<li class="lesson-row">
              <span class="lesson-number" aria-hidden="true">${index + 1}</span>
              <div>
                <h3><a href="${isFree ? '/lesson' : `${backendShopUrl}/course/${slug}`}">${title}</a></h3>
                <p>${teaser}</p>
                <p class="fact">${minutes} minutes${video === undefined ? '' : ', with a video'}</p>
              </div>
              <span class="badge ${isFree ? '' : 'badge-locked'}">${isFree ? 'Free' : 'In the shop with a backend'}</span>
            </li>`,
  )}`;
}

/** Replaces each `{{name}}` with its value. Throws an error if a value is missing. */
function fillIn(page: string, values: Record<string, string | Html>): string {
  return page.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The page asks for {{${name}}}, which the demo does not know.`);
    return value instanceof Html ? value.markup : escapeHtml(value);
  });
}
