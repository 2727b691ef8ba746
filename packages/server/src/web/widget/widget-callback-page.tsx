import { renderDocument } from '../ui/document.js';
import { AlertIcon } from '../ui/icons.js';
import type { Page } from '../ui/site.js';

/** Props of {@link widgetCallbackPage}. */
export interface WidgetCallbackPageProps {
  /** The client in the page's path. */
  clientId: string;
  /** The service's own origin. */
  baseUrl: string;
  /** Name of the client, for the person who waits. */
  clientName: string;
}

/**
 * The page that the popup lands on. `/widget/callback.js` hands the code over and closes the window, or fills in
 * why it cannot: it finds its elements by the ids `callback`, `callback-title`, `callback-text`, `callback-detail`,
 * `callback-hint` and `callback-close`.
 */
export function widgetCallbackPage(props: WidgetCallbackPageProps): Page {
  return renderDocument({
    title: `Finishing sign-in to ${props.clientName}`,
    layout: 'card',
    scripts: ['/widget/callback.js'],
    children: (
      <main
        class="card message callback"
        id="callback"
        data-client-id={props.clientId}
        data-base-url={props.baseUrl}
      >
        <span class="spinner" aria-hidden="true" />
        <span class="state-icon when-refused">
          <AlertIcon />
        </span>
        <h1 id="callback-title">
          Signing in to <bdi>{props.clientName}</bdi>
        </h1>
        <p class="lead" id="callback-text" role="status">
          Finishing sign-in…
        </p>
        <p class="detail" id="callback-detail" hidden />
        <p class="hint" id="callback-hint" hidden />
        <button class="button primary" id="callback-close" type="button" hidden>
          Close this window
        </button>
        <noscript>
          <p class="hint">
            Handing the sign-in back to the site needs JavaScript. Allow it for this page, or close the window
            and start again.
          </p>
        </noscript>
      </main>
    ),
  });
}
