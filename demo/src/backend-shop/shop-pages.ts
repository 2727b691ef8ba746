import type { CheckoutPageDetails, LatchkeyPages } from '@latchkey/express';
import type { Request, Response } from 'express';
import { type Html, html } from '../html.js';
import { forbiddenPage } from './forbidden-page.js';
import { noticePage } from './notice-page.js';
import type { PageFrame } from './shop-layout.js';

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
