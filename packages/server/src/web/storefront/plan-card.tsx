import type { AccessTerms } from '../../domain/checkout/access-terms.js';
import { AccountField } from '../ui/parts/account-field.js';
import { Button, ButtonLink } from '../ui/parts/button.js';
import { Pill } from '../ui/parts/pill.js';
import { Time } from '../ui/parts/time.js';
import { BenefitList } from './benefit-list.js';
import { type OfferedTerms, PriceText, RhythmText } from './terms-wording.js';

/** Plan that the page of a community offers. */
export interface OfferedPlan extends OfferedTerms {
  id: string;
  name: string;
  description: string | null;
  benefits: readonly string[];
  paidBy: 'card' | 'crypto';
}

/** Way in which a visitor can buy a plan. `none`: the plan would add nothing. */
export type PlanAction =
  | { kind: 'none' }
  | { kind: 'sign-in'; href: string }
  | { kind: 'buy' | 'extend'; action: string; account: string };

/** Card of a plan: price, rhythm, benefits and one action. */
export function PlanCard(props: {
  plan: OfferedPlan;
  /** The visitor's membership, if this is its plan. */
  held: AccessTerms | undefined;
  action: PlanAction;
}) {
  const { plan, held, action } = props;
  return (
    <li class={held === undefined ? 'panel plan-card' : 'panel plan-card is-held'}>
      <div class="plan-card-heading">
        <h2>
          <bdi>{plan.name}</bdi>
        </h2>
        {held !== undefined && <Pill tone="good">Your plan</Pill>}
      </div>
      {plan.description !== null && (
        <p class="muted description">
          <bdi>{plan.description}</bdi>
        </p>
      )}
      <p class="amount">
        <PriceText {...plan} />
        <span class="rhythm">
          <RhythmText {...plan} />
        </span>
      </p>
      <p class="muted">
        <Renewal {...plan} />
        {plan.paidBy === 'crypto' && ' Paid in crypto.'}
      </p>
      <BenefitList benefits={plan.benefits} />
      {held !== undefined && (
        <p class="plan-card-state">
          <HeldUntil {...held} />
        </p>
      )}
      <Action plan={plan} action={action} />
    </li>
  );
}

function HeldUntil({ endsAt, nextPayment }: AccessTerms) {
  if (endsAt === null) return <>Lifetime access</>;
  return (
    <>
      {nextPayment === null ? 'Ends on ' : 'Renews on '}
      <Time at={endsAt} precision="date" />
    </>
  );
}

function Renewal({ periodDays, renews }: OfferedPlan) {
  if (periodDays === null) return <>Lifetime access, no renewal.</>;
  return renews ? <>Renews until you cancel.</> : <>Ends automatically, no renewal.</>;
}

function Action({ plan, action }: { plan: OfferedPlan; action: PlanAction }) {
  if (action.kind === 'none') return null;
  if (action.kind === 'sign-in') {
    return (
      <div class="plan-card-action">
        <ButtonLink kind="primary" href={action.href}>
          Sign in to buy<span class="visually-hidden"> {plan.name}</span>
        </ButtonLink>
      </div>
    );
  }
  return (
    <form class="plan-card-action" method="post" action={action.action}>
      <AccountField account={action.account} />
      <input type="hidden" name="plan" value={plan.id} />
      <Button kind={action.kind === 'buy' ? 'primary' : 'secondary'}>
        <span>
          {action.kind === 'buy' ? 'Buy' : 'Extend'} <bdi>{plan.name}</bdi>
        </span>
      </Button>
    </form>
  );
}
