import { type Html, html } from '../html.js';

/** Suggestion for evaluating the shop. */
interface Trial {
  readonly title: string;
  readonly text: string;
  /** Buttons and links. */
  readonly actions?: Html;
}

/** Content of the drawer that differs between the two shops. */
interface HowDrawer {
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
function howDrawer({ serviceUrl, summary, trials, more = html`` }: HowDrawer): Html {
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
function trialLink(href: string, text: string): Html {
  return html`<a class="tool" href="${href}" target="_blank" rel="noopener">${text}</a>`;
}

/** The button that asks the widget to check the session. */
const checkSessionButton = html`<button class="tool" type="button" data-check-session>Check my session now</button>`;

/** The drawer of the shop with static files. */
export function staticDrawer(serviceUrl: string): Html {
  const sandbox = `${serviceUrl}/sandbox`;
  return howDrawer({
    serviceUrl,
    summary:
      'This shop is static files and one script tag, under a strict Content-Security-Policy. The widget signs in with PKCE and keeps the tokens in memory. What needs a secret or a guard is in the shop with a backend.',
    trials: [
      {
        title: 'Sign in as Ada, Ben or Cleo',
        text: 'Ada is a member, so the table opens. Ben is not, and Cleo’s membership expired a week ago. The page says why it stays closed.',
      },
      {
        title: 'Switch account',
        text: 'Open the account menu, and choose “Switch account”. The service lists the accounts of this browser. It remembers the consent of each.',
        actions: trialLink(`${serviceUrl}/account`, 'Open the account page'),
      },
      {
        title: 'Decline the sign-in',
        text: 'Decline on the consent page, or close the popup. The widget explains what happened and offers to try again.',
      },
      {
        title: 'Use an e-mailed code',
        text: 'Enter an e-mail address instead of picking a user. The sandbox’s mailbox shows the code.',
        actions: trialLink(`${serviceUrl}/sandbox/mailbox`, 'Open the mailbox'),
      },
      {
        title: 'Let the session expire',
        text: 'Sign in, move the service’s clock by 31 days, return to this page, and check the session.',
        actions: html`${trialLink(sandbox, 'Move the clock')} ${checkSessionButton}`,
      },
    ],
  });
}

/** The drawer of the shop with a backend. */
export function backendDrawer(serviceUrl: string): Html {
  const sandbox = `${serviceUrl}/sandbox`;
  return howDrawer({
    serviceUrl,
    summary:
      'This shop is an Express app. Its server redeems the code, keeps the tokens in a sealed cookie that no script can read, and checks the membership before it sends a page or a video.',
    trials: [
      {
        title: 'Buy a seat',
        text: 'Choose Ben, and join. The payment page is the service’s. Watch the calls and the webhooks arrive above.',
        actions: html`<a class="tool" href="/auth/login?returnTo=%2Ftable&amp;switch">Open the table</a>`,
      },
      {
        title: 'Sign in as Ada, Cleo or Eve',
        text: 'Ada is a member. Cleo’s membership expired a week ago. Eve is a member of another seller’s club only, so every gate here rejects her.',
        actions: html`<a class="tool" href="/auth/login?returnTo=%2Ftable&amp;switch">Switch account</a>`,
      },
      {
        title: 'Watch a video that strangers can’t have',
        text: 'The second lesson plays a video from a gated folder. Its address answers 401 without a session, and 403 without a membership.',
        actions: html`<a class="tool" href="/course/the-curve">Open the lesson</a>`,
      },
      {
        title: 'Let time pass',
        text: 'Move the clock to the start of the drop, or past the end of a membership. The countdown and the gates follow the service’s clock.',
        actions: html`${trialLink(sandbox, 'Move the clock')} ${checkSessionButton}`,
      },
      {
        title: 'Turn scripts off',
        text: 'The plain sign-in link, the gated pages, the checkout and the sign-out work without JavaScript.',
      },
    ],
    more: html`<details>
            <summary id="answer-title">Ask the JSON route</summary>
            <p>It answers 401 without a session, 403 without a membership, and 200 for a member.</p>
            <p class="actions"><button class="tool" type="button" id="ask-api">GET /api/table</button></p>
            <pre id="api-answer" role="status" tabindex="0" aria-labelledby="answer-title"><span class="empty">No request yet.</span></pre>
          </details>`,
  });
}
