import { type Html, html } from '../html.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

/** One message in the shop's layout: an error, or a step of the checkout. */
export interface Notice {
  title: string;
  message: string | Html;
  /** Links and forms; the first one is the main action. */
  actions: Html;
  hint?: string;
}

/** A page with one message, beside the empty seat. */
export function noticePage(frame: PageFrame, { title, message, actions, hint }: Notice): string {
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
