import { timeLeft } from '../drops/countdown.js';
import { type Drop, type DropPhase, dropPhase, shownDrop } from '../drops/next-drop.js';
import { type Html, html } from '../html.js';
import { joinPrice } from './join-plan.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

/** Result of a signup, as the page reports it. It never reveals whether an address has an account. */
export type SignupNotice = 'thanks' | 'full' | 'closed' | 'later' | 'invalid';

/** The drop, the service's time, and the signup. */
export interface DropView {
  readonly drop: Drop | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly notice: SignupNotice | undefined;
  /** Value of the field. */
  readonly email: string;
}

const moment = new Intl.DateTimeFormat('en-GB', {
  ...({ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const),
  timeZone: 'UTC',
});
const momentOf = (ms: number) => html`<bdi>${moment.format(ms)} UTC</bdi>`;

/** The page of the next drop: countdown, signup, and the states afterwards. */
export function dropPage(frame: PageFrame, view: DropView): string {
  const { drop, now } = view;
  return shopLayout(
    frame,
    html`      <div class="page-head">
        <div class="wrap">
          <p class="greeting">The drop</p>
          <h1>${drop?.name ?? 'No drop is planned'}</h1>
          <p class="lede">A few sacks of one lot, sold once. Whoever is on the list gets a mail when it starts.</p>
        </div>
      </div>
      <section class="section" aria-labelledby="drop-title">
        <div class="wrap columns">
          <div class="drop" id="drop" data-drop-phase="${drop === undefined ? 'none' : dropPhase(drop, now)}" data-drop="${JSON.stringify(shownDrop(drop))}">
            ${drop === undefined ? noDrop : phaseOf(drop, now)}
          </div>
          ${signupCard(view)}
        </div>
      </section>`,
  );
}

const noDrop = html`<h2 id="drop-title">Nothing on the roster</h2>
            <p>The next drop is announced at the table first.</p>`;

const PHASES: Readonly<Record<DropPhase, (drop: Drop, now: number) => Html>> = {
  upcoming: (drop, now) => html`<h2 id="drop-title">It starts in</h2>
            ${countdown(drop.startsAt, now)}
            <p>${momentOf(drop.startsAt)}. ${slotsLeft(drop)}</p>`,
  running: (drop, now) => html`<h2 id="drop-title">It has started</h2>
            ${drop.endsAt === null ? html`<p class="countdown">Until the sacks are empty</p>` : countdown(drop.endsAt, now)}
            <p>${drop.endsAt === null ? '' : html`Open until ${momentOf(drop.endsAt)}. `}${slotsLeft(drop)}</p>`,
  full: (drop, now) => html`<h2 id="drop-title">Every slot is taken</h2>
            ${drop.startsAt > now ? countdown(drop.startsAt, now) : html`<p class="countdown">0 of ${drop.slots ?? 0} left</p>`}
            <p>All ${drop.slots ?? 0} slots have a name on them. Members hear of the next drop at the table.</p>`,
  ended: (drop) => html`<h2 id="drop-title">This drop is over</h2>
            <p class="countdown">Sold and gone</p>
            <p>It ended on ${momentOf(drop.endsAt ?? drop.startsAt)}. The next one is announced at the table first.</p>`,
};

function phaseOf(drop: Drop, now: number): Html {
  return PHASES[dropPhase(drop, now)](drop, now);
}

/** Counts down to an instant of the service's clock. The script keeps counting. */
function countdown(until: number, now: number): Html {
  return html`<p class="countdown" role="timer" data-countdown-to="${until}">${timeLeft(until - now)}</p>`;
}

function slotsLeft({ slots, slotsUsed }: Drop): string {
  if (slots === null) return 'There is enough for everybody on the list.';
  return `${slots - slotsUsed} of ${slots} slots are left.`;
}

const NOTICES: Readonly<Record<SignupNotice, string>> = {
  thanks:
    'Thank you. This address is on the list now, or was on it already. An address with an account hears about drops there.',
  full: 'The last slot is taken, so this address is not on the list.',
  closed: 'No drop is open for signups any more.',
  later: 'The list did not answer, and nothing was stored. Send it again in a moment.',
  invalid: 'This is not an e-mail address. Check it, for example name@example.com.',
};

function signupCard({ drop, now, notice, email }: DropView): Html {
  const isOpen = drop !== undefined && ['upcoming', 'running'].includes(dropPhase(drop, now));
  const message =
    notice === undefined
      ? ''
      : html`<p class="notice ${notice === 'thanks' ? '' : 'notice-alert'}" id="signup-notice" role="${notice === 'thanks' ? 'status' : 'alert'}">${NOTICES[notice]}</p>`;
  return html`<div class="card" id="signup">
            <h2>Get a mail when it starts</h2>
            ${message}
            ${
              isOpen
                ? html`<form class="signup" method="post" action="/drop">
              <label for="email">E-mail address</label>
              <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${email}"${notice === 'invalid' ? html` aria-invalid="true" aria-describedby="signup-notice"` : ''}>
              <button class="button" type="submit">Put me on the list</button>
            </form>
            <p class="fact">One mail for this drop, and nothing else.</p>`
                : html`<p>The list is closed for this drop. Members of the table hear of the next one first.</p>
            <p><a class="button button-quiet" href="/#join">Join for ${joinPrice}</a></p>`
            }
          </div>`;
}
