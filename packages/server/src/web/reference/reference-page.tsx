import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';

/** Props of {@link referencePage}. */
export interface ReferencePageProps {
  /** Root-relative address of the OpenAPI document. */
  documentHref: string;
  /** Root-relative addresses of the viewer's scripts, in loading order. */
  scripts: readonly string[];
  /** Root-relative address of the viewer's stylesheet. */
  stylesheet: string;
  /** True if the page can send requests. An API key of a live service must never be in a browser. */
  canTry: boolean;
  /** Public test key that requests are sent with. */
  apiKey?: string | undefined;
}

/** API reference: every endpoint and event of the OpenAPI document, in Swagger UI. */
export function referencePage({ canTry, ...props }: ReferencePageProps): Page {
  return renderDocument({
    title: 'API reference',
    layout: 'reference',
    loadsPageScript: false,
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
