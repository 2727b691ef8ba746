import { phrase, t } from '../../platform/language/language.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { AccountField, Button, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { CheckIcon } from '../../web/kit/parts/icons.js';
import { EmptyState, Pager } from '../../web/kit/parts/panel.js';
import { ClientLogo } from '../../web/kit/parts/picture.js';
import { Money, Pill, Time } from '../../web/kit/parts/values.js';
import type { Brand } from '../brand/brand.js';
import type { HeldPlan } from '../checkout/buyer-access.js';
import type { Offer } from '../checkout/checkout.js';
import { BenefitList, PriceText, RhythmText, SoldBy, VisitorNav } from './shop-parts.pages.js';

interface CommunityPageProps {
  id: string;
  brand: Brand;
  plans: readonly OfferedPlan[];
  isFirst: boolean;
  next: string | undefined;
  /** Signed-in user with their active membership; `undefined` for visitors who aren't signed in. */
  visitor: { account: string; held: Omit<HeldPlan, 'membership'> | undefined } | undefined;
  signInHref: string;
}

export function communityPage(props: CommunityPageProps): Page {
  const { brand, visitor, plans } = props;
  const held = visitor?.held;
  return renderDocument({
    title: t(held === undefined ? 'Become a member of {community}' : 'Your membership of {community}', {
      community: brand.name,
    }),
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
            <p class="muted">{t(held === undefined ? 'Become a member' : 'You’re a member.')}</p>
          </div>
        </div>
        {held !== undefined && <HeldPlanPanel held={held} />}
        {plans.length === 0 ? (
          <NoPlans isMember={held !== undefined} />
        ) : (
          <ul class="plan-cards" aria-label={t('Plans')}>
            {plans.map((plan) => (
              <PlanCard key={plan.id} plan={plan} {...props} />
            ))}
          </ul>
        )}
        {plans.length > 0 && <SoldBy seller={brand.name} />}
        <Pager
          path={`/communities/${props.id}`}
          next={props.next}
          isFirst={props.isFirst}
          first={phrase('first plans')}
        />
      </main>
    ),
  });
}

function HeldPlanPanel({ held }: { held: Omit<HeldPlan, 'membership'> }) {
  return (
    <section class="panel held-plan" aria-labelledby="held-plan">
      <span class="state-icon good">
        <CheckIcon />
      </span>
      <div class="held-plan-text">
        <h2 id="held-plan">{held.planName === null ? t('Your membership') : <bdi>{held.planName}</bdi>}</h2>
        <p class="muted">
          <HeldTerms held={held} />
        </p>
      </div>
      <ButtonLink href="/account" isSmall label={t('Manage membership')} />
    </section>
  );
}

const BEFORE_PAYING = phrase('If you buy another plan, you see what happens to this one before you pay.');

function HeldTerms({ held: { endsAt, nextPayment } }: { held: Omit<HeldPlan, 'membership'> }) {
  if (nextPayment !== null) {
    return (
      <>
        {t('Renews on {date} for {price}.', {
          date: <Time at={nextPayment.at} precision="date" />,
          price: <Money minor={nextPayment.amountMinor} currency={nextPayment.currency} />,
        })}{' '}
        {t(BEFORE_PAYING)}
      </>
    );
  }
  if (endsAt === null) return <>{t('Lifetime access.')}</>;
  return (
    <>
      {t('Ends on {date} and doesn’t renew.', { date: <Time at={endsAt} precision="date" /> })}{' '}
      {t(BEFORE_PAYING)}
    </>
  );
}

function NoPlans({ isMember }: { isMember: boolean }) {
  return (
    <section class="panel" aria-label={t('Plans')}>
      <EmptyState
        title={t('No plan is for sale at the moment')}
        text={
          isMember
            ? t('Your membership stays as it is.')
            : t('Come back later, or ask the community for an invitation.')
        }
      />
    </section>
  );
}

/** A plan on a community's page. `isCovered`: it would add nothing for the visitor. */
type OfferedPlan = Omit<Offer, 'seller' | 'subject'> & { id: string; isCovered: boolean };

function PlanCard({ plan, ...props }: CommunityPageProps & { plan: OfferedPlan }) {
  const membership = props.visitor?.held;
  const held = membership?.planId === plan.id ? membership : undefined;
  return (
    <li class={held === undefined ? 'panel plan-card' : 'panel plan-card is-held'}>
      <div class="plan-card-heading">
        <h2>
          <bdi>{plan.name}</bdi>
        </h2>
        {held !== undefined && <Pill tone="good">{t('Your plan')}</Pill>}
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
        {plan.paidBy === 'crypto' && ` ${t('Paid in crypto.')}`}
      </p>
      <BenefitList {...plan} />
      {held !== undefined && (
        <p class="plan-card-state">
          {held.nextPayment !== null
            ? t('Renews on {date}', { date: <Time at={held.nextPayment.at} precision="date" /> })
            : held.endsAt === null
              ? t('Lifetime access')
              : t('Ends on {date}', { date: <Time at={held.endsAt} precision="date" /> })}
        </p>
      )}
      <Action plan={plan} isHeld={held !== undefined} {...props} />
    </li>
  );
}

function Renewal({ periodDays, renews }: OfferedPlan) {
  if (periodDays === null) return <>{t('Lifetime access, no renewal.')}</>;
  return renews ? t('Renews until you cancel.') : t('Ends automatically, no renewal.');
}

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
          {t('Sign in to buy')}
          <span class="visually-hidden"> {plan.name}</span>
        </ButtonLink>
      </div>
    );
  }
  if (plan.isCovered) return null;
  return (
    <form class="plan-card-action" method="post" action={`/communities/${id}/buy`}>
      <AccountField account={visitor.account} />
      <input type="hidden" name="plan" value={plan.id} />
      <Button kind={isHeld ? 'secondary' : 'primary'}>
        <span>{t(isHeld ? 'Extend {plan}' : 'Buy {plan}', { plan: <bdi>{plan.name}</bdi> })}</span>
      </Button>
    </form>
  );
}
