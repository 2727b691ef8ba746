import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { listMemberPayments, type MemberPayment } from '../../../domain/checkout/sales.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import {
  changeMembership,
  type MembershipChange,
} from '../../../domain/memberships/administer-membership.js';
import { findListedMembership, type ListedMembership } from '../../../domain/memberships/membership-list.js';
import { membershipState } from '../../../domain/memberships/membership-state.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { sendPage } from '../../ui/frame/send-page.js';
import type { Page } from '../../ui/frame/site.js';
import { CopyText } from '../../ui/parts/copy.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { Panel } from '../../ui/parts/panel.js';
import { Time } from '../../ui/parts/time.js';
import { type Done, noticeOf, redirectDone } from '../frame/seller-notices.js';
import { renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { communityPath } from '../frame/seller-paths.js';
import { communityForm, communityPage, readId } from '../frame/seller-request.js';
import { personInWords } from '../frame/seller-wording.js';
import { MembershipPill } from './member-table.js';
import { ChangeEnd, EndNow, InviteAgain, Subscription } from './membership-actions.js';
import { type EndFields, readEnd, typedEnd } from './membership-form.js';
import { MembershipHistory } from './membership-history.js';

type MemberRequest = Parameters<Parameters<typeof communityPage>[1]>[0];

export function membershipRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const membership = '/seller/communities/:communityId/members/:membershipId';
  router.route(membership).get(showMembership(needs)).all(methodNotAllowed('GET'));
  router.route(`${membership}/end`).post(setEnd(needs)).all(methodNotAllowed('POST'));
  router
    .route(`${membership}/end-now`)
    .post(change(needs, { kind: 'end-now' }, 'membership-ended'))
    .all(methodNotAllowed('POST'));
  router
    .route(`${membership}/cancel-subscription`)
    .post(change(needs, { kind: 'cancel-subscription' }, 'subscription-cancelled'))
    .all(methodNotAllowed('POST'));
  return router;
}

function showMembership(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  return communityPage(needs, async (request) => {
    const membership = await membershipOf(needs, request);
    if (membership === undefined) throw notFound();
    await sendMembership(needs, request, { membership, fields: fieldsOf(membership) });
  });
}

function setEnd(needs: Needs<'baseUrl' | 'clock' | 'db'>) {
  const { db, clock } = needs;
  return communityForm(needs, async (request) => {
    const { actor, form, response } = request;
    const membership = await membershipOf(needs, request);
    if (membership === undefined) throw notFound();
    const fields = typedEnd(form);
    const sendErrors = async (errors: FormError[]) =>
      await sendMembership(needs, request, { membership, fields, errors });
    const read = readEnd(form);
    if (read.kind === 'invalid') return await sendErrors(read.errors);
    const result = await changeMembership(db, actor, {
      membershipId: membership.id,
      change: { kind: 'set-end', validUntil: read.value },
      now: clock.now(),
    });
    switch (result.kind) {
      case 'unknown':
        throw notFound();
      case 'no-time':
        return await sendErrors([{ field: 'endsAt', message: 'Enter an end after the start.' }]);
      case 'expired':
        return await sendErrors([
          { field: 'endsAt', message: 'This membership has ended. Invite the person again.' },
        ]);
      case 'renewing':
        return await sendErrors([
          { field: 'endsAt', message: 'Cancel the subscription first. It renews this membership.' },
        ]);
      default:
        redirectDone(response, membershipPath(request, membership.id), 'end-saved');
    }
  });
}

/** Creates the handlers of a change without input. A change that was already made also succeeds. */
function change(needs: Needs<'baseUrl' | 'clock' | 'db'>, wanted: MembershipChange, done: Done) {
  const { db, clock } = needs;
  return communityForm(needs, async (request) => {
    const membershipId = readId(request.request.params.membershipId);
    const result = await changeMembership(db, request.actor, {
      membershipId,
      change: wanted,
      now: clock.now(),
    });
    if (result.kind === 'unknown') throw notFound();
    redirectDone(request.response, membershipPath(request, membershipId), done);
  });
}

/** Sends the page of a membership, with the status 400 if there are errors. */
async function sendMembership(
  { db, clock }: Needs<'baseUrl' | 'clock' | 'db'>,
  { frame, community, request, response }: MemberRequest,
  { membership, fields, errors }: { membership: ListedMembership; fields: EndFields; errors?: FormError[] },
): Promise<void> {
  const notice = noticeOf(request);
  const now = clock.now();
  const payments = await listMemberPayments(db, { communityId: community.id, membershipId: membership.id });
  const html = sellerMembershipPage({
    frame,
    community,
    membership,
    payments,
    fields,
    now,
    notice,
    errors,
  });
  sendPage(response, html, { status: errors === undefined ? 200 : 400 });
}

async function membershipOf(
  { db }: Needs<'baseUrl' | 'clock' | 'db'>,
  { community, request }: MemberRequest,
): Promise<ListedMembership | undefined> {
  return await findListedMembership(db, { communityId: community.id }, readId(request.params.membershipId));
}

function fieldsOf({ validUntil }: ListedMembership): EndFields {
  return { endsAt: validUntil, forLife: validUntil === null };
}

function membershipPath({ community }: MemberRequest, membershipId: string): string {
  return `${communityPath(community.id)}/members/${membershipId}`;
}

interface SellerMembershipPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  membership: ListedMembership;
  payments: readonly MemberPayment[];
  fields: EndFields;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Renders a membership. `POST …/members/{id}/end` with `endsAt` or `forLife` (`on`), `POST …/members/{id}/end-now` and
 * `POST …/members/{id}/cancel-subscription` change it.
 */
export function sellerMembershipPage(props: SellerMembershipPageProps): Page {
  const { community, membership, now, frame } = props;
  const members = `${communityPath(community.id)}/members`;
  const person = personInWords(membership);
  const { isRenewing } = membership;
  const isOver = membershipState(membership, now) === 'expired';
  const canReturn = !isRenewing && isOver && !membership.isDeleted;
  const path = `${members}/${membership.id}`;
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: `Membership of ${person}`,
    heading: <bdi>{person}</bdi>,
    lead: (
      <>
        Member of <bdi>{community.name}</bdi>
      </>
    ),
    parent: { href: members, label: 'Members' },
    children: (
      <>
        <Facts membership={membership} now={now} />
        <MembershipHistory membership={membership} payments={props.payments} now={now} />
        {isRenewing && <Subscription frame={frame} path={path} membership={membership} />}
        {!isRenewing && !isOver && (
          <ChangeEnd frame={frame} path={path} fields={props.fields} errors={props.errors} />
        )}
        {canReturn && <InviteAgain href={`${members}/new`} />}
        {(isRenewing || !isOver) && <EndNow frame={frame} path={path} membership={membership} />}
      </>
    ),
  });
}

function Facts({ membership, now }: { membership: ListedMembership; now: number }) {
  const { validUntil } = membership;
  return (
    <Panel heading="Membership" actions={<MembershipPill membership={membership} now={now} />} id="facts">
      <dl class="facts">
        <dt>E-mail address</dt>
        <dd>
          <bdi>{membership.email ?? 'None'}</bdi>
        </dd>
        <dt>Messenger ID</dt>
        <dd>{membership.messengerUserId ?? 'None'}</dd>
        <dt>Plan</dt>
        <dd>
          <bdi>{membership.planName ?? 'None'}</bdi>
        </dd>
        <dt>Starts</dt>
        <dd>
          <Time at={membership.validFrom} />
        </dd>
        <dt>{membership.isRenewing ? 'Renews' : 'Ends'}</dt>
        <dd>{validUntil === null ? 'Never' : <Time at={validUntil} />}</dd>
        <dt>Subscription</dt>
        <dd>
          <SubscriptionState {...membership} />
        </dd>
        {membership.externalOrderId !== null && (
          <>
            <dt>External order ID</dt>
            <dd>
              <CopyText label="external order ID" value={membership.externalOrderId} />
            </dd>
          </>
        )}
        <dt>Membership ID</dt>
        <dd>
          <CopyText label="membership ID" value={membership.id} />
        </dd>
      </dl>
    </Panel>
  );
}

function SubscriptionState({ hasSubscription, subscriptionCancelledAt }: ListedMembership) {
  if (!hasSubscription) return <>None</>;
  if (subscriptionCancelledAt === null) return <>Active, renews automatically</>;
  return (
    <>
      Cancelled on <Time at={subscriptionCancelledAt} />
    </>
  );
}
