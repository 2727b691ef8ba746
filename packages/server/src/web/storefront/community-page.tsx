import type { Brand } from '../../domain/brand/brand.js';
import { type HeldPlan, isCovered } from '../../domain/checkout/buyer-access.js';
import type { Offer } from '../../domain/checkout/offer.js';
import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/send-page.js';
import { AccountField, Button, ButtonLink } from '../ui/parts/form-parts.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { EmptyState, Pager } from '../ui/parts/panel.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { Money, Pill, Time } from '../ui/parts/values.js';
import { BenefitList, PriceText, RhythmText, VisitorNav } from './shop-parts.js';

interface CommunityPageProps {
  id: string;
  brand: Brand;
  plans: readonly OfferedPlan[];
  isFirst: boolean;
  next: string | undefined;
  /** Signed-in user with their active membership; `undefined` for a visitor who is not signed in. */
  visitor: { account: string; held: HeldPlan | undefined } | undefined;
  signInHref: string;
}

/**
 * Renders the public page of a community with its plans. `POST /communities/{id}/buy` with `account` and `plan` opens a
 * checkout for the signed-in user.
 */
export function communityPage(props: CommunityPageProps): Page {
  const { brand, visitor, plans } = props;
  const held = visitor?.held;
  return renderDocument({
    title: held === undefined ? `Become a member of ${brand.name}` : `Your membership of ${brand.name}`,
    layout: 'wide',
    accent: brand.accent,
    headerEnd: <VisitorNav isSignedIn={visitor !== undefined} signInHref={props.signInHref} />,
    children: (
      <main class="column">
        <div class="profile">
          <ClientLogo name={brand.name} logoUrl={brand.logoUrl} />
          <div>
            <h1>
              <bdi>{brand.name}</bdi>
            </h1>
            <p class="muted">{held === undefined ? 'Become a member' : 'You’re a member.'}</p>
          </div>
        </div>
        {held !== undefined && <HeldPlanPanel held={held} />}
        {plans.length === 0 ? (
          <NoPlans isMember={held !== undefined} />
        ) : (
          <ul class="plan-cards" aria-label="Plans">
            {plans.map((plan) => (
              <PlanCard key={plan.id} plan={plan} {...props} />
            ))}
          </ul>
        )}
        <Pager
          path={`/communities/${props.id}`}
          next={props.next}
          isFirst={props.isFirst}
          first="first plans"
        />
      </main>
    ),
  });
}

function HeldPlanPanel({ held }: { held: HeldPlan }) {
  return (
    <section class="panel held-plan" aria-labelledby="held-plan">
      <span class="state-icon good">
        <CheckIcon />
      </span>
      <div class="held-plan-text">
        <h2 id="held-plan">{held.planName === null ? 'Your membership' : <bdi>{held.planName}</bdi>}</h2>
        <p class="muted">
          <HeldTerms held={held} />
        </p>
      </div>
      <ButtonLink href="/account" isSmall label="Manage membership" />
    </section>
  );
}

function HeldTerms({ held: { endsAt, nextPayment } }: { held: HeldPlan }) {
  if (nextPayment !== null) {
    return (
      <>
        Renews on <Time at={nextPayment.at} precision="date" /> for{' '}
        <Money minor={nextPayment.amountMinor} currency={nextPayment.currency} />. A plan that you buy now
        extends your membership.
      </>
    );
  }
  if (endsAt === null) return <>Lifetime access.</>;
  return (
    <>
      Ends on <Time at={endsAt} precision="date" /> and doesn’t renew. A plan that you buy now extends your
      membership.
    </>
  );
}

function NoPlans({ isMember }: { isMember: boolean }) {
  return (
    <section class="panel" aria-label="Plans">
      <EmptyState
        title="No plan is for sale at the moment"
        text={
          isMember
            ? 'Your membership stays as it is.'
            : 'Come back later, or ask the community for an invitation.'
        }
      />
    </section>
  );
}

/** Plan that the page of a community offers. */
type OfferedPlan = Omit<Offer, 'seller' | 'subject'> & { id: string };

/** Card of a plan: price, rhythm, texts and one action. */
function PlanCard({ plan, ...props }: CommunityPageProps & { plan: OfferedPlan }) {
  const membership = props.visitor?.held;
  const held = membership?.planId === plan.id ? membership : undefined;
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
      <BenefitList {...plan} />
      {held !== undefined && (
        <p class="plan-card-state">
          {held.endsAt === null ? (
            'Lifetime access'
          ) : (
            <>
              {held.nextPayment === null ? 'Ends on ' : 'Renews on '}
              <Time at={held.endsAt} precision="date" />
            </>
          )}
        </p>
      )}
      <Action plan={plan} isHeld={held !== undefined} {...props} />
    </li>
  );
}

function Renewal({ periodDays, renews }: OfferedPlan) {
  if (periodDays === null) return <>Lifetime access, no renewal.</>;
  return renews ? <>Renews until you cancel.</> : <>Ends automatically, no renewal.</>;
}

/** Form or link to buy a plan, unless the plan would add nothing. */
function Action({
  plan,
  isHeld,
  id,
  visitor,
  signInHref,
}: CommunityPageProps & { plan: OfferedPlan; isHeld: boolean }) {
  if (visitor === undefined) {
    return (
      <div class="plan-card-action">
        <ButtonLink kind="primary" href={signInHref}>
          Sign in to buy<span class="visually-hidden"> {plan.name}</span>
        </ButtonLink>
      </div>
    );
  }
  if (visitor.held !== undefined && isCovered(visitor.held, plan.id)) return null;
  return (
    <form class="plan-card-action" method="post" action={`/communities/${id}/buy`}>
      <AccountField account={visitor.account} />
      <input type="hidden" name="plan" value={plan.id} />
      <Button kind={isHeld ? 'secondary' : 'primary'}>
        <span>
          {isHeld ? 'Extend' : 'Buy'} <bdi>{plan.name}</bdi>
        </span>
      </Button>
    </form>
  );
}
