import type { OpenCheckout } from '../../domain/checkout/checkout.js';
import { messagePage } from '../ui/frame/message-page.js';
import type { Page } from '../ui/frame/site.js';

/** Props of {@link boughtElsewherePage} and {@link paidBeforePage}. */
interface AlreadyPaidPageProps {
  checkout: OpenCheckout;
  /** True if the buyer returns to a page of the service. Its link names the seller or the product, and not the host. */
  isOwnPage: boolean;
  accent: string | null;
}

/** The shop's page for finished purchases comes first: the buyer has what this checkout sells. */
export function boughtElsewherePage(props: AlreadyPaidPageProps): Page {
  const { name } = props.checkout.offer;
  const text = `“${name}” was paid in another checkout after this one was opened. Nothing was charged here.`;
  return alreadyPaidPage(props, text);
}

/** The buyer tried again after an error, in another checkout. The page names no other order: the visitor may be another person. */
export function paidBeforePage(props: AlreadyPaidPageProps): Page {
  const text =
    'An earlier payment was received after all, and gives access now. Nothing was charged this time.';
  return alreadyPaidPage(props, text);
}

function alreadyPaidPage({ checkout, isOwnPage, accent }: AlreadyPaidPageProps, text: string): Page {
  const { offer, successUrl } = checkout;
  const { href, host } = new URL(successUrl);
  const owner = offer.subject.kind === 'plan' ? offer.seller : offer.name;
  // One text in the button, whose children are laid out beside each other.
  const label = (
    <span>
      Continue to <bdi>{isOwnPage ? (owner ?? offer.name) : host}</bdi>
    </span>
  );
  return messagePage({ title: 'Already paid', text, action: { href, label }, isDone: true, accent });
}
