import { renderDocument } from '../ui/document.js';
import { CheckIcon } from '../ui/icons.js';
import type { Page } from '../ui/site.js';

/** Props of {@link checkoutPaidPage}. */
export interface CheckoutPaidPageProps {
  /** Name of the plan or product. */
  name: string;
  /** http or https URL that the browser loads at once. */
  successUrl: string;
}

/**
 * Renders the page after the payment, which loads `successUrl`. A redirect would not work: Chromium applies the form's
 * `form-action` policy to the whole redirect chain, and the chain of a shop's URL is unknown.
 */
export function checkoutPaidPage(props: CheckoutPaidPageProps): Page {
  return renderDocument({
    title: `Paid: ${props.name}`,
    layout: 'card',
    goesOnTo: props.successUrl,
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>Payment complete</h1>
        <p class="lead">
          You now have access to <bdi>{props.name}</bdi>. Taking you back…
        </p>
        <a class="button primary" href={props.successUrl}>
          <span>
            Continue to <bdi>{new URL(props.successUrl).host}</bdi>
          </span>
        </a>
      </main>
    ),
  });
}
