import { isLatchkeyApiError, type LatchkeyClient } from '@latchkey/client';
import express, { type Request, type Response, Router } from 'express';
import { type Html, html } from '../html.js';
import { type Drop, type DropPhase, dropPhase, shownDrop } from '../next-drop.js';
import { requireOwnPage } from '../serving.js';
import { joinPrice } from './join-plan.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

interface DropNeeds {
  readonly client: LatchkeyClient;
  readonly communityId: string;
  readonly shopUrl: string;
  readonly clock: { now(): number };
  readDrop(): Promise<Drop | undefined>;
  frame(request: Request, title: string): PageFrame;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Serves the page of the next drop, and its signup by API key. */
export function dropRoutes(needs: DropNeeds): Router {
  const { clock, readDrop, frame, shopUrl } = needs;
  const send = async (request: Request, response: Response, part: Pick<DropView, 'notice' | 'email'>) => {
    const view = { ...part, drop: await readDrop(), now: clock.now() };
    response.set('Cache-Control', 'no-store').send(dropPage(frame(request, 'The drop'), view));
  };
  const router = Router();
  router.get('/drop', async (request, response) => {
    await send(request, response, {
      notice: noticeIn(request.query.signup),
      email: request.latchkey?.user?.email ?? '',
    });
  });
  const form = express.urlencoded({ extended: false, limit: '4kb' });
  router.post('/drop', requireOwnPage(shopUrl), form, async (request, response) => {
    const email = String(request.body?.email ?? '').trim();
    if (!EMAIL.test(email) || email.length > 254) {
      response.status(422);
      await send(request, response, { notice: 'invalid', email: email.slice(0, 254) });
      return;
    }
    response.redirect(303, `/drop?signup=${await signUp(needs, email)}#signup`);
  });
  return router;
}

/**
 * Signs an address up. New and known addresses get the same answer. Otherwise the page would reveal which addresses have an
 * account.
 */
async function signUp({ client, communityId }: DropNeeds, email: string): Promise<SignupNotice> {
  try {
    await client.dropSignup({ communityId, email }, { maxRetries: 1, signal: AbortSignal.timeout(5_000) });
    return 'thanks';
  } catch (error) {
    if (!isLatchkeyApiError(error)) throw error;
    if (error.status === 404) return 'closed';
    if (error.status === 400) return 'later';
    if (error.status === 409) return error.errorCode === 'already_exists' ? 'thanks' : 'full';
    return 'later';
  }
}

/** The drop, the service's time, and the signup. */
interface DropView {
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
function dropPage(frame: PageFrame, view: DropView): string {
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

/** Results of a signup, as the page reports them. None reveals whether an address has an account. */
const NOTICES = {
  thanks:
    'Thank you. This address is on the list now, or was on it already. An address with an account hears about drops there.',
  full: 'The last slot is taken, so this address is not on the list.',
  closed: 'No drop is open for signups any more.',
  later: 'The list did not answer, and nothing was stored. Send it again in a moment.',
  invalid: 'This is not an e-mail address. Check it, for example name@example.com.',
};
type SignupNotice = keyof typeof NOTICES;

/** Returns the notice that an address of the page names. */
function noticeIn(query: unknown): SignupNotice | undefined {
  return (Object.keys(NOTICES) as SignupNotice[]).find((notice) => notice === query && notice !== 'invalid');
}

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

/** Writes a time span as days, hours, minutes and seconds: `6 d 23 h 59 min 12 s`. `public/assets/countdown.js` does the same. */
function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const parts = [`${hours} h`, `${minutes} min`, `${seconds % 60} s`];
  return days === 0 ? parts.join(' ') : [`${days} d`, ...parts].join(' ');
}
