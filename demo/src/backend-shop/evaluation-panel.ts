import { type Html, html } from '../html.js';

/** The panel with suggestions and tools for evaluating this shop. It is part of the demo, not of the shop. */
export function evaluationPanel(serviceUrl: string): Html {
  return html`      <section class="evaluate" id="evaluate" aria-labelledby="evaluate-title">
        <div class="wrap">
          <div class="evaluate-head">
            <h2 id="evaluate-title">Try the sign-in</h2>
            <p>This panel is part of the demo, not of the shop. The shop’s Express server exchanges the code, stores the tokens in a sealed, httpOnly cookie, and checks the membership.</p>
          </div>
          <div class="evaluate-columns">
            <ul class="trials">
              <li>
                <h3>Open a page for members</h3>
                <p>While you are signed out, this page redirects you to the sign-in, and back to the table afterwards.</p>
                <p class="actions"><a class="tool" href="/table">Open /table</a></p>
              </li>
              <li>
                <h3>Sign in as Ada, Ben, Cleo or Eve</h3>
                <p>Ada is a member. Ben is not, and Cleo’s membership expired a week ago. Eve is a member of another seller’s club, which is not this one. All three see the shop’s own 403 page. To sign in as another user, sign out here and pick the user in the sandbox.</p>
                <p class="actions"><a class="tool" href="${serviceUrl}/sandbox" target="_blank" rel="noopener">Pick a person</a></p>
              </li>
              <li>
                <h3>Request the JSON route</h3>
                <p>401 without a session, 403 without a membership, 200 for Ada.</p>
                <p class="actions"><button class="tool" type="button" id="ask-api">GET /api/table</button></p>
              </li>
              <li>
                <h3>Turn scripts off</h3>
                <p>The plain link, the gated page and the sign-out work without JavaScript.</p>
              </li>
              <li>
                <h3>Let time pass</h3>
                <p>After an hour the server refreshes the token. After 31 days the session expires, and the widget shows it.</p>
                <p class="actions">
                  <a class="tool" href="${serviceUrl}/sandbox" target="_blank" rel="noopener">Move the clock</a>
                  <button class="tool" type="button" data-check-session>Check my session now</button>
                </p>
              </li>
              <li>
                <h3>Sign out</h3>
                <p>This client has a secret, so the server also revokes the tokens at the service. The account page still lists your consent.</p>
              </li>
            </ul>
            <div class="stack">
              <div class="log">
                <h3 id="answer-title">Response of the JSON route</h3>
                <pre id="api-answer" role="status" tabindex="0" aria-labelledby="answer-title"><span class="empty">No request yet.</span></pre>
              </div>
              <div class="log">
                <h3 id="log-title">What the widget told this page</h3>
                <ol class="log-lines" id="event-log" aria-labelledby="log-title">
                  <li class="empty">Nothing yet. Events appear here as they fire.</li>
                </ol>
              </div>
            </div>
          </div>
        </div>
      </section>`;
}
