import { renderDocument } from '../ui/document.js';
import { CheckIcon } from '../ui/icons.js';
import type { Page } from '../ui/site.js';

/** Props of {@link checkoutPaidPage}. */
export interface CheckoutPaidPageProps {
  /** Name of the plan or product. */
  name: string;
  /** Where the buyer goes on to, at once; http or https. */
  successUrl: string;
}

/**
 * Says that it is paid, and sends the buyer on. A page and no redirect: what a form's answer redirects to is held to the
 * form's policy all along the way, and where a shop's address leads in the end nobody here can know.
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
        <h1>Thank you, it is paid</h1>
        <p class="lead">
          <bdi>{props.name}</bdi> is yours. Taking you back…
        </p>
        <a class="button primary" href={props.successUrl}>
          <span>
            Go on to <bdi>{new URL(props.successUrl).host}</bdi>
          </span>
        </a>
      </main>
    ),
  });
}
