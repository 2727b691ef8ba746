import type { Brand } from '../../domain/brand/brand.js';
import { type HeldPlan, isCovered } from '../../domain/checkout/find-held-plan.js';
import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { VisitorNav } from '../ui/frame/visitor-nav.js';
import { ButtonLink } from '../ui/parts/button.js';
import { EmptyState } from '../ui/parts/empty-state.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { Money } from '../ui/parts/money.js';
import { Pager } from '../ui/parts/pager.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { Time } from '../ui/parts/time.js';
import { type OfferedPlan, type PlanAction, PlanCard } from './plan-card.js';

/** Props of {@link communityPage}. */
export interface CommunityPageProps {
  id: string;
  brand: Brand;
  /** One page of the plans for sale. */
  plans: readonly OfferedPlan[];
  /** True for the first page of the plans. */
  isFirst: boolean;
  /** Start of the next page of the plans. */
  next: string | undefined;
  /** Signed-in user with their active membership; `undefined` for a visitor who is not signed in. */
  visitor: { account: string; held: HeldPlan | undefined } | undefined;
  /** Root-relative path of the sign-in page that continues here. */
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
              <PlanCard
                key={plan.id}
                plan={plan}
                held={held?.planId === plan.id ? held : undefined}
                action={actionFor(plan, props)}
              />
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

function actionFor(plan: OfferedPlan, { id, visitor, signInHref }: CommunityPageProps): PlanAction {
  if (visitor === undefined) return { kind: 'sign-in', href: signInHref };
  const { account, held } = visitor;
  if (held !== undefined && isCovered(held, plan.id)) return { kind: 'none' };
  const kind = held?.planId === plan.id ? 'extend' : 'buy';
  return { kind, account, action: `/communities/${id}/buy` };
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
      <ButtonLink href="/account" isSmall>
        Manage membership
      </ButtonLink>
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
