import type { Router } from 'express';
import type { ComponentChildren } from 'preact';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { phrase, t } from '../../platform/language/language.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  type Done,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
} from '../../web/kit/areas/seller-area.js';
import { personInWords } from '../../web/kit/areas/seller-parts.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { date, defineForm, type FormValues, toggle } from '../../web/kit/parts/define-form.js';
import { dateFieldOf, UnreadableText } from '../../web/kit/parts/form.js';
import { ButtonLink, type FormError, PostForm } from '../../web/kit/parts/form-parts.js';
import { DangerPanel, Panel } from '../../web/kit/parts/panel.js';
import { amountColumn, Table } from '../../web/kit/parts/table.js';
import { CopyText, Facts, Time } from '../../web/kit/parts/values.js';
import { listMemberPayments, type MemberPayment } from '../checkout/sales.js';
import { PaymentPill, PaymentReason } from '../checkout/sales.pages.js';
import { changeMembership, type MembershipChange } from './administer-membership.js';
import { MembershipPill } from './members.pages.js';
import { findListedMembership, type ListedMembership } from './membership-list.js';
import { type NamedStretch, readFollowing } from './membership-periods.js';
import { membershipState } from './membership-state.js';

/** Form of a new end. A blank end alone doesn't mean lifetime. */
const END = defineForm({
  endsAt: date({ label: phrase('Ends'), hint: phrase('Without a time, it ends as the day begins.') }),
  forLife: toggle({ label: phrase('Lifetime, without an end') }),
});

export function sellerMembershipPage(
  props: CommunityPageProps & {
    membership: ListedMembership;
    following: readonly NamedStretch[];
    payments: readonly MemberPayment[];
    values: FormValues<typeof END>;
    now: number;
  },
): Page {
  const { community, membership, payments, now } = props;
  const members = `${communityPath(community.id)}/members`;
  const path = `${members}/${membership.id}`;
  const person = personInWords(membership);
  const { isRenewing } = membership;
  const isOver = membershipState(membership, now) === 'expired';
  const action = { path, membership };
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: t('Membership of {person}', { person }),
    heading: <bdi>{person}</bdi>,
    lead: t('Member of {community}', { community: <bdi>{community.name}</bdi> }),
    parent: 'section',
    children: (
      <>
        <MembershipFacts membership={membership} now={now} />
        <Following following={props.following} />
        <MembershipHistory membership={membership} payments={payments} now={now} />
        {isRenewing && <Subscription {...action} />}
        {!isRenewing && !isOver && (
          <Panel heading={t('Change end')} id="change-end">
            <PostForm action={`${path}/end`} submit={t('Save end')}>
              {END.fields(props)}
            </PostForm>
          </Panel>
        )}
        {!isRenewing && isOver && !membership.isDeleted && <InviteAgain href={`${members}/new`} />}
        {(isRenewing || !isOver) && <EndNow {...action} />}
      </>
    ),
  });
}

function MembershipFacts({ membership, now }: { membership: ListedMembership; now: number }) {
  const { validUntil, renewsAt, isRenewing, externalOrderId } = membership;
  const end = (isRenewing ? renewsAt : null) ?? validUntil;
  const facts = {
    [t('E-mail address')]: <bdi>{membership.email ?? t('None')}</bdi>,
    [t('Messenger ID')]: membership.messengerUserId ?? t('None'),
    [t('Plan')]: <bdi>{membership.planName ?? t('None')}</bdi>,
    [t('Starts')]: <Time at={membership.validFrom} />,
    [t(isRenewing ? 'Renews' : 'Ends')]: end === null ? t('Never') : <Time at={end} />,
    [t('Subscription')]: <SubscriptionState {...membership} />,
    [t('External order ID')]: externalOrderId !== null && (
      <CopyText label={t('external order ID')} value={externalOrderId} />
    ),
    [t('Membership ID')]: <CopyText label={t('membership ID')} value={membership.id} />,
  };
  return (
    <Panel
      heading={t('Membership')}
      actions={<MembershipPill membership={membership} now={now} />}
      id="facts"
    >
      <Facts facts={facts} />
    </Panel>
  );
}

/** Plans and times that follow the running plan. Each change records an event. */
function Following({ following }: { following: readonly NamedStretch[] }) {
  if (following.length === 0) return null;
  return (
    <Panel heading={t('What comes next')} id="following">
      <Table
        label={t('What comes next')}
        rows={following}
        columns={[
          { heading: phrase('Plan'), cell: ({ planName }) => <bdi>{planName ?? t('None')}</bdi> },
          { heading: phrase('Starts'), cell: ({ startsAt }) => <Time at={startsAt} /> },
          {
            heading: phrase('Ends'),
            cell: ({ endsAt }) => (endsAt === null ? t('Never') : <Time at={endsAt} />),
          },
        ]}
      />
    </Panel>
  );
}

function SubscriptionState({ hasSubscription, subscriptionCancelledAt }: ListedMembership) {
  if (!hasSubscription) return <>{t('None')}</>;
  if (subscriptionCancelledAt === null) return <>{t('Active, renews automatically')}</>;
  return <>{t('Cancelled on {date}', { date: <Time at={subscriptionCancelledAt} /> })}</>;
}

interface HistoryEvent {
  at: number;
  text: ComponentChildren;
  payment?: MemberPayment;
}

function MembershipHistory(props: {
  membership: ListedMembership;
  payments: readonly MemberPayment[];
  now: number;
}) {
  return (
    <Panel heading={t('History')} id="history">
      <Table
        label={t('History')}
        rows={eventsOf(props)}
        columns={[
          { heading: phrase('Event'), cell: ({ text }) => text },
          { heading: phrase('Date'), cell: ({ at }) => <Time at={at} /> },
          amountColumn(
            phrase('Amount'),
            ({ payment }: HistoryEvent) =>
              payment && { minor: payment.amountMinor, currency: payment.currency },
          ),
        ]}
      />
    </Panel>
  );
}

function eventsOf({ membership, payments, now }: Parameters<typeof MembershipHistory>[0]): HistoryEvent[] {
  const { validFrom, validUntil, subscriptionCancelledAt } = membership;
  const events: HistoryEvent[] = [
    { at: validFrom, text: t(validFrom > now ? 'Membership will start' : 'Membership started') },
    ...payments.map((payment) => ({
      at: payment.createdAt,
      text: <PaymentText payment={payment} />,
      payment,
    })),
  ];
  if (subscriptionCancelledAt !== null) {
    events.push({ at: subscriptionCancelledAt, text: t('Subscription cancelled') });
  }
  if (validUntil !== null && validUntil <= now) {
    events.push({ at: validUntil, text: t('Membership ended') });
  }
  return events.sort((one, other) => other.at - one.at);
}

function PaymentText({ payment }: { payment: MemberPayment }) {
  return (
    <>
      {payment.planName === null
        ? t('Payment')
        : t('Payment for {plan}', { plan: <bdi>{payment.planName}</bdi> })}{' '}
      <PaymentPill payment={payment} />
      <PaymentReason payment={payment} />
    </>
  );
}

function Subscription({ path, membership }: { path: string; membership: ListedMembership }) {
  return (
    <DangerPanel
      heading={t('Subscription')}
      id="subscription"
      text={t(
        'Each payment sets the end of this membership. To change the end yourself, cancel the subscription first.',
      )}
      dialog={{
        id: 'cancel-subscription',
        button: t('Cancel subscription…'),
        title: t('Cancel the subscription?'),
        notes: [
          membership.validUntil === null
            ? t('The membership stays active until the end of the paid period, and then ends.')
            : t('The membership stays active until {date}, and then ends.', {
                date: <Time at={membership.validUntil} />,
              }),
          t('The member pays nothing more.'),
          t("You can't restart the subscription. The member can buy a plan again."),
        ],
      }}
      action={`${path}/cancel-subscription`}
      label={t('Cancel subscription')}
      about={t('for good')}
    />
  );
}

function InviteAgain({ href }: { href: string }) {
  return (
    <Panel heading={t('Invite again')} id="again">
      <p class="muted">
        {t(
          "This membership has ended. Its end can't be changed any more, because the member may have left. They can accept a new invitation.",
        )}
      </p>
      <div class="panel-actions">
        <ButtonLink isSmall href={href} label={t('Invite again')} />
      </div>
    </Panel>
  );
}

function EndNow({ path, membership }: { path: string; membership: ListedMembership }) {
  const person = personInWords(membership);
  return (
    <DangerPanel
      heading={t('End membership')}
      tone="danger"
      id="end-now"
      text={t('The member loses access at once, even in a paid period.')}
      dialog={{
        id: 'end-membership',
        button: t('End membership…'),
        title: t('End this membership now?'),
        notes: [
          t('{person} loses access at once, even in a paid period.', { person: <bdi>{person}</bdi> }),
          membership.isRenewing && t('The subscription is cancelled. Nothing more is charged.'),
          t('Earlier payments are not refunded. You can refund one on its page, under "Sales".'),
          t('To restore access, you must invite them again.'),
        ],
      }}
      action={`${path}/end-now`}
      label={t('End membership now')}
    />
  );
}

const END_REFUSED: Readonly<Record<string, string>> = {
  'no-time': phrase('Enter an end after the start.'),
  expired: phrase('This membership has ended. Invite the person again.'),
  renewing: phrase('Cancel the subscription first. It renews this membership.'),
};

export function membershipRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/members/:membershipId': { get: show },
    '/seller/communities/:communityId/members/:membershipId/end': { post: setEnd },
    '/seller/communities/:communityId/members/:membershipId/end-now': {
      post: (area) => change(area, { kind: 'end-now' }, 'membership-ended'),
    },
    '/seller/communities/:communityId/members/:membershipId/cancel-subscription': {
      post: (area) => change(area, { kind: 'cancel-subscription' }, 'subscription-cancelled'),
    },
  });

  async function show(area: CommunityRequest) {
    const membership = await membershipOf(area);
    const { validUntil } = membership;
    const values = { endsAt: validUntil, forLife: validUntil === null };
    return await membershipPage(area, { membership, values });
  }

  async function setEnd(area: CommunityForm) {
    const { actor, form, path } = area;
    const membership = await membershipOf(area);
    const refuse = (message: string) =>
      membershipPage(area, { membership, values: END.read(form), errors: [{ field: 'endsAt', message }] });
    const end = dateFieldOf(form, 'endsAt', null);
    const isForLife = form.get('forLife') === 'on';
    if (end instanceof UnreadableText) return await refuse(end.message);
    if (isForLife && end !== null) return await refuse(t('Enter an end or choose lifetime, not both.'));
    if (!isForLife && end === null) return await refuse(t('Enter an end, or choose lifetime.'));
    const kind = await changeMembership(db, actor, {
      membershipId: membership.id,
      change: { kind: 'set-end', validUntil: end },
      now: clock.now(),
    });
    const message = END_REFUSED[kind];
    if (message !== undefined) return await refuse(t(message));
    return doneAt(`${path}/members/${membership.id}`, 'end-saved');
  }

  async function change({ actor, path, request }: CommunityForm, wanted: MembershipChange, done: Done) {
    const membershipId = readId(request.params.membershipId);
    await changeMembership(db, actor, { membershipId, change: wanted, now: clock.now() });
    return doneAt(`${path}/members/${membershipId}`, done);
  }

  async function membershipPage(
    { community, page }: CommunityRequest,
    form: { membership: ListedMembership; values: FormValues<typeof END>; errors?: FormError[] },
  ) {
    const key = { communityId: community.id, membershipId: form.membership.id };
    const payments = await listMemberPayments(db, key);
    const now = clock.now();
    const { id, planChangesAt: plan_changes_at } = form.membership;
    const following = await readFollowing(db, { id, plan_changes_at }, now);
    return sellerMembershipPage({ ...page, ...form, following, payments, now });
  }

  async function membershipOf({ community, request }: CommunityRequest) {
    const id = readId(request.params.membershipId);
    const membership = await findListedMembership(db, { communityId: community.id }, id);
    if (membership === undefined) throw notFound();
    return membership;
  }
}
