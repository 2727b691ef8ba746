import type { ComponentChildren } from 'preact';
import { renderDocument } from '../ui/document.js';
import { FieldError } from '../ui/field-error.js';
import { ChoiceGroup } from '../ui/form-field.js';
import { LockIcon } from '../ui/icons.js';
import { Notice } from '../ui/notice.js';
import { ClientLogo } from '../ui/picture.js';
import type { Page } from '../ui/site.js';
import { accessInWords, type OfferedTerms, priceInWords, renewalInWords } from './terms-wording.js';

/** What a checkout page tells of the order. */
export interface PageOrder extends OfferedTerms {
  /** Name of the plan or product. */
  name: string;
  /** Name of the community, or of the product's seller; null for a seller without a name. */
  seller: string | null;
  /** The buyer, so that they know themselves and nobody else does: `d•••@example.com`. */
  buyer: string;
}

/** Props of the two checkout pages. */
export interface CheckoutPageProps {
  order: PageOrder;
  /** Root-relative address that the form is posted to, with `terms` and `method`. */
  action: string;
  /** Names what the buyer has seen, for the field `terms`. */
  terms: string;
  /** Ways to pay, the usual first. */
  methods: readonly { id: string; name: string; note: string }[];
  /** Where the buyer goes who does not pay; http or https. */
  cancelUrl: string;
  /** Why the last try failed, and what to do. */
  problem?: string | undefined;
  /** What has changed since the buyer last saw the page. */
  notice?: string | undefined;
  /** What to know of the payment provider. */
  disclaimer: string;
}

/** A checkout page: the order, what the kind of payment adds, the ways to pay, and the way out. */
export function renderCheckoutPage(
  props: CheckoutPageProps,
  kind: { title: string; question: string; submit: string; children?: ComponentChildren },
): Page {
  const { order, methods, problem } = props;
  const isFree = order.amountMinor === 0;
  return renderDocument({
    title: problem === undefined ? kind.title : `Not paid: ${kind.title}`,
    layout: 'card',
    children: (
      <main class="card">
        <OrderHeading order={order} />
        {props.notice !== undefined && <Notice text={props.notice} />}
        <OrderFacts order={order} />
        {!isFree && kind.children}
        <form class="form" method="post" action={props.action}>
          {problem !== undefined && <FieldError id="problem" text={problem} />}
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
