import type { ComponentChildren } from 'preact';
import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { FieldError } from '../ui/parts/field-error.js';
import { ChoiceGroup } from '../ui/parts/form-field.js';
import { LockIcon } from '../ui/parts/icons.js';
import { Notice } from '../ui/parts/notice.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { accessInWords, type OfferedTerms, priceInWords, renewalInWords } from './terms-wording.js';

/** Order as a checkout page shows it. */
export interface PageOrder extends OfferedTerms {
  /** Name of the plan or product. */
  name: string;
  /** Name of the community or of the product's seller. Null for a seller without a name. */
  seller: string | null;
  /** Masked e-mail address of the buyer: `d•••@example.com`. */
  buyer: string;
}

/** Props of the two checkout pages. */
export interface CheckoutPageProps {
  order: PageOrder;
  /** Root-relative path that the form posts `terms` and `method` to. */
  action: string;
  /** Digest of the terms that the buyer sees, for the field `terms`. */
  terms: string;
  /** Payment methods, the most common first. */
  methods: readonly { id: string; name: string; note: string }[];
  /** http or https URL of the link "Cancel". */
  cancelUrl: string;
  /** Error message for the last payment attempt. */
  error?: string | undefined;
  /** Change of the order since the buyer opened the page. */
  notice?: string | undefined;
  /** Note about the payment provider. */
  disclaimer: string;
}

/** Renders a checkout page: the order, the payment methods and a link that cancels. */
export function renderCheckoutPage(
  props: CheckoutPageProps,
  kind: { title: string; question: string; submit: string; children?: ComponentChildren },
): Page {
  const { order, methods, error } = props;
  const isFree = order.amountMinor === 0;
  return renderDocument({
    title: error === undefined ? kind.title : `Payment failed: ${kind.title}`,
    layout: 'card',
    children: (
      <main class="card">
        <OrderHeading order={order} />
        {props.notice !== undefined && <Notice text={props.notice} />}
        <OrderFacts order={order} />
        {!isFree && kind.children}
        <form class="form" method="post" action={props.action}>
          {error !== undefined && <FieldError id="error" text={error} />}
          <input type="hidden" name="terms" value={props.terms} />
          {!isFree && (
            <ChoiceGroup
              name="method"
              label={kind.question}
              type="radio"
              choices={methods.map(({ id, name, note }, index) => ({
                value: id,
                label: name,
                hint: note,
                checked: index === 0,
              }))}
            />
          )}
          <button class="button primary" type="submit">
            <LockIcon />
            {isFree ? 'Get it for free' : kind.submit}
          </button>
        </form>
        <p class="centred">
          <a href={props.cancelUrl}>
            Cancel and go back to <bdi>{new URL(props.cancelUrl).host}</bdi>
          </a>
        </p>
        <p class="fine centred">{props.disclaimer}</p>
      </main>
    ),
  });
}

function OrderHeading({ order }: { order: PageOrder }) {
  return (
    <div class="heading">
      <ClientLogo name={order.seller ?? order.name} size="small" />
      {order.seller !== null && (
        <p class="lead">
          <bdi>{order.seller}</bdi>
        </p>
      )}
      <h1>
        <bdi>{order.name}</bdi>
      </h1>
      <p class="amount">{priceInWords(order)}</p>
    </div>
  );
}

function OrderFacts({ order }: { order: PageOrder }) {
  return (
    <dl class="facts order">
      <dt>Access</dt>
      <dd>{accessInWords(order.periodDays)}</dd>
      <dt>Renewal</dt>
      <dd>{renewalInWords(order)}</dd>
      <dt>For</dt>
      <dd>
        <bdi>{order.buyer}</bdi>
      </dd>
    </dl>
  );
}
