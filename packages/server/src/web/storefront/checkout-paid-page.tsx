import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { CheckIcon } from '../ui/parts/icons.js';

/** Props of {@link checkoutPaidPage}. */
export interface CheckoutPaidPageProps {
  /** Name of the plan or product. */
  name: string;
  /** http or https URL of the shop. */
  successUrl: string;
  /** True if the browser that just paid loads `successUrl` at once. Other visitors get the link only. */
  goesOn: boolean;
}

/**
 * Renders the page after the payment, which loads `successUrl`. Anyone can send a link to a finished checkout, so only the
 * browser that paid leaves the service without a click. A redirect would not work: Chromium applies the form's
 * `form-action` policy to the whole redirect chain, and the chain of a shop's URL is unknown.
 */
export function checkoutPaidPage(props: CheckoutPaidPageProps): Page {
  return renderDocument({
    title: `Paid: ${props.name}`,
    layout: 'card',
    ...(props.goesOn && { goesOnTo: props.successUrl }),
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>Payment complete</h1>
        <p class="lead">
          {props.goesOn ? 'You now have access to ' : 'This checkout is complete: '}
          <bdi>{props.name}</bdi>.{props.goesOn && ' Taking you back…'}
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
