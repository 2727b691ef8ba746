import { type Html, html } from '../html.js';
import { BENEFITS, joinForm, joinPlan, joinPrice } from './join-plan.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

/** State of the visitor's seat. `unknown` during an outage: then the page neither opens nor sells anything. */
export type Seat = 'taken' | 'free' | 'unknown';

/** The club's front page. */
export function homePage(frame: PageFrame, seat: Seat): string {
  const { clientId } = frame.places;
  return shopLayout(
    frame,
    html`      <section class="hero">
        <div class="wrap">
          <div class="hero-text">
            <p class="greeting">${frame.signedInAs === undefined ? 'Lot 31 is on the table this Friday' : html`Welcome back, <bdi>${frame.signedInAs}</bdi>`}</p>
            <h1>A round table, eight cups, every Friday</h1>
            <p class="lede">The Roaster’s Table is Ember &amp; Oak’s club: a seat at the Friday tasting, a bag of the week’s lot, and a course about how it was roasted.</p>
            <p class="actions" id="hero-actions">
              ${isWithoutSeat(frame, seat) ? takeSeat : html`<a class="button" href="/table">Open the Roaster’s Table</a>`}
              <a class="button button-quiet" href="/course/the-fire">Read a free lesson</a>
            </p>
          </div>
          <div class="hero-art hero-table">
            <svg viewBox="0 0 400 400" aria-hidden="true"><use href="/assets/art.svg#table"/><use href="/assets/art.svg#seat-empty"/></svg>
          </div>
        </div>
      </section>
${signInSection(clientId, { isSignedIn: frame.signedInAs !== undefined, seat })}${joinSection(frame, seat)}`,
  );
}

/** The table rejects such a visitor, so the page leads to the offer, the only place that sells. */
const isWithoutSeat = ({ signedInAs }: PageFrame, seat: Seat) => signedInAs !== undefined && seat === 'free';
const takeSeat = html`<a class="button" href="#join">Take a seat</a>`;

/** The two ways to sign in, and the part for members. */
function signInSection(clientId: string, { isSignedIn, seat }: { isSignedIn: boolean; seat: Seat }) {
  return html`      <section class="section" id="sign-in" aria-labelledby="sign-in-title">
        <div class="wrap">
          <div class="section-head">
            <h2 id="sign-in-title">Two doors, one room</h2>
            <p>Both end in the same session, sealed by this shop’s own server into a cookie that no script can read.</p>
          </div>
          <div class="pair">
            <div class="card">
              <h3>In a popup</h3>
              <p id="popup-door">${isSignedIn ? 'You are signed in. Your memberships are in this menu.' : 'You stay on this page while you sign in.'}</p>
              <latchkey-login client-id="${clientId}" backend="/auth" account-url="/account"></latchkey-login>
            </div>
            <div class="card" id="plain-door">
              <h3>By a plain link</h3>
              ${isSignedIn ? ENTER_BY_LINK[seat] : signInByLink}
            </div>
          </div>
${membersPart()}        </div>
      </section>
`;
}

const signInByLink = html`<p>Works without any script, and brings you straight to the table.</p>
              <a class="button" href="/auth/login?returnTo=%2Ftable">Sign in and go to the table</a>`;
const ENTER_BY_LINK: Readonly<Record<Seat, Html>> = {
  free: html`<p>You are signed in already. This account has no seat yet, so the table stays closed.</p>`,
  taken: html`<p>You are signed in already. The page behind this link asks the server again.</p>
              <a class="button" href="/table">Go to the table</a>`,
  unknown: html`<p>You are signed in already. The page behind this link asks the server again.</p>
              <a class="button button-quiet" href="/table">Go to the table</a>`,
};

/** The gate: one card for each of its states. */
function membersPart() {
  return html`          <latchkey-gate community="${joinPlan.communityId}" backend="/auth">
            <div slot="loading" class="card"><h3>Looking for your place…</h3></div>
            <div slot="signed-out" class="card">
              <h3>One place is still empty</h3>
              <p>Sign in, and we will tell you whether it is yours.</p>
            </div>
            <div slot="locked" class="card">
              <h3>This account has no seat yet</h3>
              <p>This account has no active membership. If yours has ended, renewing it opens the table again. <a href="#join">See what a seat includes</a></p>
            </div>
            <div slot="error" class="card">
              <h3>We couldn’t look up your seat</h3>
              <p>The shop did not get an answer about your membership. It is unchanged; ask again in a moment.</p>
              <p class="actions"><button class="button" type="button" data-check-session>Ask again</button></p>
            </div>
            <div class="card" id="members-part">
              <h3>Your place is laid</h3>
              <p>This sentence is only hidden from others. The page behind the button is truly kept from them.</p>
              <p class="actions"><a class="button" href="/table">Open the Roaster’s Table</a></p>
            </div>
          </latchkey-gate>
`;
}

const OFFERS: Readonly<Record<Seat, (frame: PageFrame) => Html>> = {
  free: ({ signedInAs }) => html`<h2 id="join-title">Take a seat</h2>
            <p class="join-price">${joinPrice}, stop whenever you like</p>
            <p>${signedInAs === undefined ? 'Sign in, pay' : 'Pay'}, and the table opens at once.</p>
            <div class="actions">${joinForm()}</div>`,
  taken: () => html`<h2 id="join-title">You have a seat</h2>
            <p>Everything on this list is yours. There is nothing left to buy.</p>
            <p class="actions"><a class="button" href="/table">Open the table</a> <a href="/account">See your membership</a></p>`,
  unknown: () => html`<h2 id="join-title">Take a seat</h2>
            <p>We couldn’t look up your seat just now. Load this page again in a moment.</p>`,
};

/** Sells a seat, or shows that the visitor owns one. */
function joinSection(frame: PageFrame, seat: Seat) {
  return html`      <section class="section join" id="join" aria-labelledby="join-title">
        <div class="wrap">
          <div>
            ${OFFERS[seat](frame)}
          </div>
          <ul class="checklist">
            ${BENEFITS.map((benefit) => html`<li><span>${benefit}</span></li>`)}
          </ul>
        </div>
      </section>
`;
}
