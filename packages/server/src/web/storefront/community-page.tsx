import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { VisitorNav } from '../ui/frame/visitor-nav.js';
import { AccountField } from '../ui/parts/account-field.js';
import { CheckIcon } from '../ui/parts/icons.js';
import { Pager } from '../ui/parts/pager.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { PlainDate } from '../ui/parts/plain-time.js';
import { accessInWords, type OfferedTerms, priceInWords, renewalInWords } from './terms-wording.js';

/** Plan that the page of a community offers. */
export interface OfferedPlan extends OfferedTerms {
  id: string;
  name: string;
  paidBy: 'card' | 'crypto';
}

/** Props of {@link communityPage}. */
export interface CommunityPageProps {
  id: string;
  name: string;
  /** One page of the plans for sale. */
  plans: readonly OfferedPlan[];
  /** True for the first page of the plans. */
  isFirst: boolean;
  /** Start of the next page of the plans. */
  next: string | undefined;
  /** Signed-in user; `undefined` for a visitor who is not signed in. */
  visitor: { account: string; access: CommunityAccess } | undefined;
  /** Root-relative path of the sign-in page that continues here. */
  signInHref: string;
}

/** Access of the visitor: none, until a time (milliseconds since the epoch), or for life. */
export type CommunityAccess = 'none' | 'for-life' | { until: number; renews: boolean };

/**
 * Renders the public page of a community with its plans. `POST /communities/{id}/buy` with `account` and `plan` opens a
 * checkout for the signed-in user.
 */
export function communityPage(props: CommunityPageProps): Page {
  const isForLife = props.visitor?.access === 'for-life';
  return renderDocument({
    title: `Become a member of ${props.name}`,
    layout: 'wide',
    headerEnd: <VisitorNav isSignedIn={props.visitor !== undefined} signInHref={props.signInHref} />,
    children: (
      <main class="column">
        <div class="profile">
          <ClientLogo name={props.name} />
          <div>
            <h1>
              <bdi>{props.name}</bdi>
            </h1>
            <p class="muted">Become a member</p>
          </div>
        </div>
        {props.visitor !== undefined && <MemberNotice access={props.visitor.access} />}
        <section class="panel" aria-labelledby="plans">
          <h2 id="plans">Plans</h2>
          {props.plans.length === 0 ? (
            <p class="empty">No plan is for sale at the moment.</p>
          ) : (
            <ul class="rows">
              {props.plans.map((plan) => (
                <PlanRow key={plan.id} plan={plan} page={props} isForSale={!isForLife} />
              ))}
            </ul>
          )}
          <Pager
            path={`/communities/${props.id}`}
            next={props.next}
            isFirst={props.isFirst}
            first="first plans"
          />
        </section>
      </main>
    ),
  });
}

function MemberNotice(props: { access: CommunityAccess }) {
  const { access } = props;
  if (access === 'none') return null;
  return (
    <p class="notice">
      <CheckIcon />
      <span>
        {access === 'for-life' && 'You are a member for life.'}
        {typeof access === 'object' && (
          <>
            You are a member until <PlainDate at={access.until} />
            {access.renews ? ', when it renews. ' : '. '}A plan that you buy now extends your membership.
          </>
        )}
      </span>
    </p>
  );
}

function PlanRow(props: { plan: OfferedPlan; page: CommunityPageProps; isForSale: boolean }) {
  const { plan, page, isForSale } = props;
  return (
    <li class="row">
      <div class="row-text">
        <p class="row-title">
          <bdi>{plan.name}</bdi>
        </p>
        <p class="muted">
          {accessInWords(plan.periodDays)}. {renewalInWords(plan)}.
          {plan.paidBy === 'crypto' && ' Paid in crypto.'}
        </p>
      </div>
      <p class="row-end price">{priceInWords(plan)}</p>
      {isForSale && page.visitor === undefined && (
        <a class="button secondary small" href={page.signInHref}>
          Sign in to buy<span class="visually-hidden"> {plan.name}</span>
        </a>
      )}
      {isForSale && page.visitor !== undefined && (
        <form method="post" action={`/communities/${page.id}/buy`}>
          <AccountField account={page.visitor.account} />
          <input type="hidden" name="plan" value={plan.id} />
          <button class="button primary small" type="submit">
            Buy<span class="visually-hidden"> {plan.name}</span>
          </button>
        </form>
      )}
    </li>
  );
}
