import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { allowCrossOrigin } from '../../platform/http/cors.js';
import { methodNotAllowed } from '../../platform/http/http-failure.js';
import { PACKAGE_FOLDER } from '../../platform/package-folder.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { createOpenApiDocument } from './openapi-document.js';

/**
 * Starts Swagger UI in the reference page, configured by data attributes. The layout omits Swagger UI's own headings;
 * the page provides them. Wrapped components and `mend` repair its accessibility: links inside buttons, unnamed fields
 * and buttons, a heading of the wrong level.
 */
const VIEWER_SCRIPT = `'use strict';
const viewer = document.getElementById('viewer');
const { document: url, apiKey } = viewer.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const showScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showScheme);
showScheme();

// The first paragraph leads. The rest is closed at first, so that the endpoints are not far below.
const overview = (h, Markdown, text) => {
  const [lead, ...rest] = text.split('\\n\\n');
  return h('div', { className: 'viewer-overview' },
    h(Markdown, { source: lead }),
    h('details', { className: 'disclosure' },
      h('summary', null, h('span', { className: 'disclosure-summary' }, 'How to integrate, failures and retries')),
      h('div', { className: 'disclosure-content' }, h(Markdown, { source: rest.join('\\n\\n') }))));
};

const accessibleParts = ({ React: { createElement: h } }) => {
  const named = (name) => (Original) => (props) =>
    h('label', { className: 'named-field' }, h('span', { className: 'visually-hidden' }, name), h(Original, props));
  return {
    components: {
      OperationsLayout: ({ getComponent, specSelectors }) =>
        h('div', { className: 'swagger-ui' },
          overview(h, getComponent('Markdown'), specSelectors.info().get('description', '')),
          h('div', { className: 'viewer-access' }, h(getComponent('AuthorizeBtnContainer', true))),
          h(getComponent('errors', true)),
          h(getComponent('operations', true)),
          h(getComponent('Webhooks', true))),
    },
    wrapComponents: {
      DeepLink: () => ({ text }) => h('span', null, text),
      ExamplesSelect: named('Example'),
      TextArea: named('Body'),
    },
  };
};

const mend = () => {
  for (const button of viewer.querySelectorAll('.close-modal:not([aria-label])'))
    button.setAttribute('aria-label', 'Close');
  for (const button of viewer.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
  for (const heading of viewer.querySelectorAll('h6:not([aria-level])')) {
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', '5');
  }
};
new MutationObserver(mend).observe(viewer, { childList: true, subtree: true });

const ui = SwaggerUIBundle({
  url,
  domNode: viewer,
  layout: 'OperationsLayout',
  plugins: [accessibleParts],
  deepLinking: true,
  docExpansion: 'list',
  showExtensions: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  supportedSubmitMethods: 'canTry' in viewer.dataset ? ['get', 'post'] : [],
  onComplete: () => {
    if (apiKey) ui.preauthorizeApiKey('apiKey', apiKey);
  },
});
`;

/** Root-relative address. It contains a hash of the script, so browsers can cache it forever. */
const VIEWER_SCRIPT_PATH: string = `/assets/viewer.${createHash('sha256').update(VIEWER_SCRIPT).digest('hex').slice(0, 8)}.js`;

/**
 * The build copies Swagger UI to this folder. As a dependency, its package would bring `@scarf/scarf`, which reports
 * installations, to everyone who installs the server.
 */
const FOLDER = join(PACKAGE_FOLDER, 'dist/vendor/swagger-ui');

/** The addresses contain the version of the copied Swagger UI, so browsers can cache the files forever. */
function findViewerFiles() {
  const version = readFileSync(join(FOLDER, 'version.txt'), 'utf8');
  const addressOf = (file: string) => `/assets/swagger-ui-${version}/${file}`;
  const [script, stylesheet] = ['swagger-ui-bundle.js', 'swagger-ui.css'];
  return {
    scriptPath: addressOf(script),
    stylesheetPath: addressOf(stylesheet),
    files: new Map([script, stylesheet].map((file) => [addressOf(file), join(FOLDER, file)])),
  };
}

const OPENAPI_PATH = '/openapi.json';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Allows scripts and requests of this service only. The operator can host the service's logo anywhere. */
const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the API's description to programs and people. It contains no secrets, so every origin may read it. */
export function referenceRoutes({
  apiReference,
  baseUrl,
  serviceNames,
  site,
}: Needs<'apiReference' | 'baseUrl' | 'serviceNames' | 'site'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const document = once(() => {
    const text = JSON.stringify(createOpenApiDocument({ baseUrl, serviceNames, brandName: site.brand.name }));
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
  });
  router
    .route(OPENAPI_PATH)
    .all(allowCrossOrigin('GET'))
    .get((_request, response) => {
      const { text, tag } = document();
      // Express responds with 304 if the tag matches.
      response.set({ ETag: tag, 'Cache-Control': 'public, no-cache' }).type('json').send(text);
    })
    .all(methodNotAllowed('GET'));

  const viewer = once(findViewerFiles);
  router
    .route('/reference')
    .get((_request, response) => {
      const { scriptPath, stylesheetPath } = viewer();
      const page = referencePage({
        documentHref: OPENAPI_PATH,
        scripts: [scriptPath, VIEWER_SCRIPT_PATH],
        stylesheet: stylesheetPath,
        canTry: apiReference.tryIt ?? false,
        apiKey: apiReference.apiKey,
      });
      sendPage(response, page, { headers: { 'Content-Security-Policy': VIEWER_POLICY } });
    })
    .all(methodNotAllowed('GET'));
  router.get(VIEWER_SCRIPT_PATH, (_request, response) => {
    response.set('Cache-Control', IMMUTABLE).type('text/javascript').send(VIEWER_SCRIPT);
  });
  router.get(/^\/assets\/swagger-ui-/, (request, response, next) => {
    const file = viewer().files.get(request.path);
    if (file === undefined) return next();
    response.set('Cache-Control', IMMUTABLE).sendFile(file, { cacheControl: false, dotfiles: 'allow' });
  });
  return router;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface ReferencePageProps {
  documentHref: string;
  scripts: readonly string[];
  stylesheet: string;
  /** True if the page can send requests. An API key of a live service must never be in a browser. */
  canTry: boolean;
  /** Public test key that requests are sent with. */
  apiKey?: string | undefined;
}

export function referencePage({ canTry, ...props }: ReferencePageProps): Page {
  return renderDocument({
    title: 'API reference',
    layout: 'reference',
    loadsPageScript: false,
    isReference: true,
    scripts: props.scripts,
    stylesheet: props.stylesheet,
    headerEnd: (
      <nav class="site-nav" aria-label="Reference">
        <a href={props.documentHref}>OpenAPI</a>
      </nav>
    ),
    children: (
      <main class="reference-main" id="content" tabIndex={-1}>
        <h1>API reference</h1>
        <p class="lead">
          {canTry
            ? 'Your browser sends requests from this page to this test service, with its public test key. Never use the key of a live service in a browser.'
            : 'This page sends no requests: an API key must never be in a browser.'}
        </p>
        <h2 class="visually-hidden">Endpoints</h2>
        <noscript>
          <p>
            The reference needs JavaScript. The <a href={props.documentHref}>OpenAPI document</a> does not.
          </p>
        </noscript>
        <div
          id="viewer"
          data-document={props.documentHref}
          data-api-key={props.apiKey}
          data-can-try={canTry ? '' : undefined}
        />
      </main>
    ),
  });
}
