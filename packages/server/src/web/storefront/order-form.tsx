import type { ComponentChildren } from 'preact';
import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { Button } from '../ui/parts/button.js';
import { ChoiceGroup } from '../ui/parts/form-field.js';
import { AlertIcon, LockIcon } from '../ui/parts/icons.js';
import { Notice } from '../ui/parts/notice.js';
import { OrderSummary, type PageOrder } from './order-summary.js';

/** Props of the two checkout pages. */
export interface CheckoutPageProps {
  order: PageOrder;
  /** Root-relative path that the form posts `terms` and `method` to. */
  action: string;
  /** Digest of the terms that the buyer sees, for the field `terms`. */
  terms: string;
  /** Payment methods, the most common first. */
  methods: readonly { id: string; name: string; note: string }[];
  /** Id of the method that the buyer chose before. Otherwise the first method is chosen. */
  chosen?: string | undefined;
  /** http or https URL of the link "Cancel". */
  cancelUrl: string;
  /** Error message for the last payment attempt. */
  error?: string | undefined;
  /** Change of the order since the buyer opened the page. */
  notice?: string | undefined;
  /** Note about the payment provider. */
  disclaimer: string;
  /** Accent of the community's brand: `#rrggbb`. */
  accent: string | null;
}

/** Renders a checkout page: the order, the payment methods and a link that cancels. */
export function renderCheckoutPage(
  props: CheckoutPageProps,
  kind: { title: string; question: string; submit: ComponentChildren; children?: ComponentChildren },
): Page {
  const { order, error } = props;
  const isFree = order.amountMinor === 0;
  return renderDocument({
    title: error === undefined ? kind.title : `Payment failed: ${kind.title}`,
    layout: 'card',
    accent: props.accent,
    children: (
      <main class="checkout">
        <OrderSummary order={order} />
        <section class="checkout-payment" aria-label="Payment">
          {props.notice !== undefined && <Notice text={props.notice} />}
          <p class="checkout-buyer">
            <span class="muted">For</span> <bdi>{order.buyer}</bdi>
          </p>
          {!isFree && kind.children}
          <form class="form" method="post" action={props.action}>
            <input type="hidden" name="terms" value={props.terms} />
            {!isFree && <Methods {...props} question={kind.question} />}
            {error !== undefined && (
              <p class="notice refusal" role="alert">
                <AlertIcon />
                <span>{error}</span>
              </p>
            )}
            <Button kind="primary">
              <LockIcon />
              {isFree ? 'Get it for free' : kind.submit}
            </Button>
          </form>
          <p class="centred">
            <a href={props.cancelUrl}>
              Cancel and go back to <bdi>{new URL(props.cancelUrl).host}</bdi>
            </a>
          </p>
          <p class="fine centred">{props.disclaimer}</p>
        </section>
      </main>
    ),
  });
}

function Methods(props: Pick<CheckoutPageProps, 'methods' | 'chosen'> & { question: string }) {
  const { methods, question } = props;
  const chosen = methods.find(({ id }) => id === props.chosen) ?? methods[0];
  return (
    <ChoiceGroup
      name="method"
      label={question}
      type="radio"
      isBoxed
      choices={methods.map(({ id, name, note }) => ({
        value: id,
        label: name,
        hint: note,
        checked: id === chosen?.id,
      }))}
    />
  );
}
