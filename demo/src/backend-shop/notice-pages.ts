import type { CheckoutPageDetails, ForbiddenDetails, LatchkeyPages } from '@latchkey/express';
import type { Request, Response } from 'express';
import { type Html, html } from '../html.js';
import { joinForm } from './join-plan.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

/** The pages that the kit sends, in the shop's own layout. */
export function shopPages(frame: (request: Request, title: string) => PageFrame): LatchkeyPages {
  return {
    forbidden: (request, response, details) => {
      response.send(forbiddenPage(frame(request, 'For members'), details));
    },
    unavailable: (request, response) => {
      response.send(
        noticePage(frame(request, 'Please try again'), {
          title: 'We couldn’t look up your seat',
          message: 'The membership service does not respond. Your membership is unchanged.',
          actions: html`<a class="button" href="${request.originalUrl}">Try again</a>`,
        }),
      );
    },
    awaiting: (request, response, { state, message, retryUrl }) => {
      response.send(
        noticePage(frame(request, 'Your payment'), {
          title: state === 'waiting' ? 'Confirming your payment…' : 'Your payment is not confirmed yet',
          message,
          actions: html`<a class="button" href="${retryUrl}">Check again</a>`,
        }),
      );
    },
    signInFailed: (request, response, { message, retryUrl, signedIn }) => {
      response.send(
        noticePage(frame(request, 'Sign-in'), {
          title: 'You are not signed in yet',
          message,
          actions: html`<a class="button" href="${retryUrl}">Try again</a>
              <a href="/">${signedIn ? 'Continue' : 'Back to the club'}</a>`,
        }),
      );
    },
  };
}

/** Sends a page of the checkout in the shop's layout. */
export function sendCheckoutNotice(response: Response, frame: PageFrame, details: CheckoutPageDetails): void {
  const { title, message, continueUrl, form } = details;
  const actions =
    form === undefined
      ? html`<a class="button" href="${continueUrl}">Continue</a>`
      : html`${retryForm(form, details.state)}
              <a href="${continueUrl}">Go back</a>`;
  response.send(noticePage(frame, { title, message, actions }));
}

function retryForm(
  { action, fields }: NonNullable<CheckoutPageDetails['form']>,
  state: CheckoutPageDetails['state'],
): Html {
  const asksEmail = state === 'email_required' || state === 'email_invalid';
  return html`<form class="signup" method="post" action="${action}">
                ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
                ${asksEmail ? html`<label for="email">E-mail address</label> <input id="email" name="email" type="email" autocomplete="email" required>` : ''}
                <button class="button" type="submit">${asksEmail ? 'Continue to payment' : 'Try again'}</button>
              </form>`;
}

/**
 * The page for a signed-in visitor without an active membership: the reason and the next step. Sent with
 * status 403.
 */
function forbiddenPage(
  frame: PageFrame,
  { user: { email }, switchUrl }: Pick<ForbiddenDetails, 'user' | 'switchUrl'>,
): string {
  return noticePage(frame, {
    title: 'This account has no seat yet',
    message: html`${email === null ? 'You are signed in' : html`You are signed in as <bdi>${email}</bdi>`}, but this account has no active membership of the Roaster’s Table. If yours has ended, renewing it opens the table again.`,
    actions: html`${joinForm()}
              <a href="${switchUrl}">Use another account</a>`,
    hint: 'Joined with another address? Use that account.',
  });
}

/** One message in the shop's layout: an error, or a step of the checkout. */
interface Notice {
  title: string;
  message: string | Html;
  /** Links and forms; the first one is the main action. */
  actions: Html;
  hint?: string;
}

/** A page with one message, beside the empty seat. */
function noticePage(frame: PageFrame, { title, message, actions, hint }: Notice): string {
  return shopLayout(
    frame,
    html`      <section class="section" aria-labelledby="notice-title">
        <div class="wrap seat">
          <div class="seat-art">
            <svg viewBox="0 0 400 400" aria-hidden="true"><use href="/assets/art.svg#table"/><use href="/assets/art.svg#seat-empty"/></svg>
          </div>
          <div class="seat-text">
            <h1 id="notice-title">${title}</h1>
            <p>${message}</p>
            <div class="actions">
              ${actions}
            </div>
            ${hint === undefined ? '' : html`<p class="footnote">${hint}</p>`}
          </div>
        </div>
      </section>`,
  );
}

/** The page for an address that does not exist. */
export function notFoundPage(frame: PageFrame): string {
  return noticePage(frame, {
    title: 'There is nothing on this table',
    message: 'This address leads nowhere. The page may have moved, or the link has a typing mistake.',
    actions: html`<a class="button" href="/">Go to the club</a>
              <a href="/course">See the course</a>`,
  });
}
