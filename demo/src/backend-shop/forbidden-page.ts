import { html } from '../html.js';
import { joinForm } from './join-plan.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

/**
 * The page for a signed-in visitor without an active membership: the reason and the next step. Sent with
 * status 403.
 */
export function forbiddenPage(frame: PageFrame, email: string | null): string {
  return shopLayout(
    frame,
    html`      <section class="section" aria-labelledby="forbidden-title">
        <div class="wrap seat">
          <div class="seat-art">
            <svg viewBox="0 0 400 400" aria-hidden="true"><use href="/assets/art.svg#table"/><use href="/assets/art.svg#seat-empty"/></svg>
          </div>
          <div class="seat-text">
            <h1>This account has no seat yet</h1>
            <p>You are signed in${email === null ? '' : html` as <strong>${email}</strong>`}, but no membership of the Roaster’s Table is running on this account. If yours has ended, renewing it opens the table again.</p>
            <div class="actions">
              ${joinForm()}
              <a href="/">Back to the club</a>
            </div>
            <p class="footnote">Joined with another address? Sign out above, and come back with that one.</p>
          </div>
        </div>
      </section>`,
  );
}
