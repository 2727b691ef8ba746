import { renderDocument } from '../ui/document.js';
import type { Page } from '../ui/site.js';

/** Props of {@link referenceViewerPage}. */
export interface ReferenceViewerPageProps {
  /** Root-relative addresses: the readable reference, the document, and what the viewer is made of. */
  referenceHref: string;
  documentHref: string;
  scripts: readonly string[];
  stylesheet: string;
  /** Whether requests can be sent: in the sandbox only. */
  canTry: boolean;
  /** The API key that requests are sent with at first; it is in the page for everybody to read. Default none. */
  apiKey?: string | undefined;
}

/** The API in a viewer that sends requests from the browser. */
export function referenceViewerPage(props: ReferenceViewerPageProps): Page {
  const { canTry } = props;
  return renderDocument({
    title: canTry ? 'Try the API' : 'API viewer',
    layout: 'reference',
    scripts: props.scripts,
    stylesheet: props.stylesheet,
    headerEnd: (
      <nav class="site-nav" aria-label="Reference">
        <a href={props.referenceHref}>Reference</a>
        <a href={props.documentHref}>OpenAPI</a>
      </nav>
    ),
    children: (
      <main class="viewer-main" id="content" tabIndex={-1}>
        <h1>{canTry ? 'Try the API' : 'API viewer'}</h1>
        <p class="lead">
          {canTry
            ? 'Requests go to this sandbox, from your browser. They carry its own API key, which everybody may know; a real key must never be in a browser.'
            : 'Requests cannot be sent from here: an API key must never be in a browser.'}
        </p>
        <h2 class="visually-hidden">Endpoints</h2>
        <noscript>
          <p>
            The viewer needs JavaScript. The <a href={props.referenceHref}>reference</a> does not.
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
