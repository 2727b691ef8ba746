import { checkSessionButton, howDrawer, trialLink } from '../how/how-drawer.js';
import { type Html, html } from '../html.js';

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
