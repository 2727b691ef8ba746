import { type Html, html } from '../html.js';

/** Suggestion for evaluating the shop. */
export interface Trial {
  readonly title: string;
  readonly text: string;
  /** Buttons and links. */
  readonly actions?: Html;
}

/** Content of the drawer that differs between the two shops. */
export interface HowDrawer {
  readonly serviceUrl: string;
  /** Parts that sign visitors in, in a few sentences. */
  readonly summary: string;
  readonly trials: readonly Trial[];
  /** Sections of one shop only. */
  readonly more?: Html;
}

/**
 * The drawer "How this works": the calls behind what just happened, and what to try. It is part of the demo, not of the shop.
 */
export function howDrawer({ serviceUrl, summary, trials, more = html`` }: HowDrawer): Html {
  return html`    <aside class="how" aria-label="How this demo works">
      <dialog class="how-drawer" id="how" aria-labelledby="how-title">
        <div class="how-head">
          <h2 id="how-title">How this works</h2>
          <button class="tool" type="button" id="how-close">Close</button>
        </div>
        <div class="how-body" tabindex="0" role="group" aria-labelledby="how-title">
          <p>${summary}</p>
          <section aria-labelledby="how-calls-title">
            <h3 id="how-calls-title">Calls behind this shop</h3>
            <p class="how-state" id="how-state" role="status">Connecting to the demo…</p>
            <ol class="how-calls" id="how-calls" aria-labelledby="how-calls-title"></ol>
            <p><a href="${serviceUrl}/sandbox/requests" target="_blank" rel="noopener">All calls, in the sandbox’s console</a></p>
          </section>
          <details class="how-trials">
            <summary>What to try</summary>
            <ul>
              ${trials.map(
                ({ title, text, actions }) => html`<li>
                <h3>${title}</h3>
                <p>${text}</p>
                ${actions === undefined ? '' : html`<p class="actions">${actions}</p>`}
              </li>`,
              )}
            </ul>
          </details>
          ${more}
          <details>
            <summary>Events of the widget on this page</summary>
            <ol class="log-lines" id="event-log" aria-label="Events of the widget">
              <li class="empty">Nothing yet. Events appear here as they happen.</li>
            </ol>
          </details>
        </div>
      </dialog>
    </aside>`;
}

/** The button that opens the drawer, for the bar above the shop. It appears when the script runs. */
export const howButton = html`<button class="how-button" type="button" id="how-open" aria-haspopup="dialog" aria-controls="how" aria-expanded="false" hidden><span class="how-name">How this works</span><span class="how-mark" aria-hidden="true">?</span></button>`;

/** A link of a trial that opens beside the shop. */
export function trialLink(href: string, text: string): Html {
  return html`<a class="tool" href="${href}" target="_blank" rel="noopener">${text}</a>`;
}

/** The button that asks the widget to check the session. */
export const checkSessionButton = html`<button class="tool" type="button" data-check-session>Check my session now</button>`;
