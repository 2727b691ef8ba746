import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { AlertIcon } from '../ui/parts/icons.js';

/** Props of {@link widgetCallbackPage}. */
export interface WidgetCallbackPageProps {
  /** Id of the client in the page's path. */
  clientId: string;
  /** The service's own origin. */
  baseUrl: string;
  /** Name of the client, shown to the user. */
  clientName: string;
}

/**
 * Renders the redirect target of the popup. Its script `/widget/callback.js` passes the code to the widget and closes the
 * window, or shows an error. The script finds the elements by the ids `callback`, `callback-title`, `callback-text`,
 * `callback-detail`, `callback-hint` and `callback-close`.
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
            Sign-in needs JavaScript. Allow it for this page and reload, or close this window and start again.
          </p>
        </noscript>
      </main>
    ),
  });
}
