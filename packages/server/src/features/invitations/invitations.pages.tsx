import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import type { ListPage } from '../../platform/database/rows.js';
import { notFound } from '../../platform/http/http-failure.js';
import { formatTime, phrase, t } from '../../platform/language/language.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  type CommunityPageProps,
  type CommunityRequest,
  communityPath,
  doneAt,
  renderCommunityPage,
  routesOfCommunity,
  sendOwnersOnly,
} from '../../web/kit/areas/seller-area.js';
import { roleInWords } from '../../web/kit/areas/seller-parts.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ActionForm, ButtonLink, type FormError } from '../../web/kit/parts/form-parts.js';
import { Panel } from '../../web/kit/parts/panel.js';
import { type Column, ListPanel, type ShownList, shownList, Table } from '../../web/kit/parts/table.js';
import { CopyText, Pill, Time } from '../../web/kit/parts/values.js';
import {
  listSentInvitations,
  type Offered,
  type SentInvitation,
  withdrawInvitation,
} from './invitation.queries.js';
import type { SendInvitationResult } from './send-invitation.js';

export function invitationRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock, baseUrl } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/invitations': { get: list },
    '/seller/communities/:communityId/invitations/withdraw': { post: withdraw },
  });

  async function list({ community, page, query }: CommunityRequest) {
    const of = { communityId: community.id, kind: 'membership', now: clock.now() } as const;
    const invitations = await shownList(query, (after) => listSentInvitations(db, of, after));
    return sellerInvitationsPage({ ...page, baseUrl, invitations });
  }

  async function withdraw(area: CommunityForm) {
    const { actor, form, path } = area;
    const id = readId(form.get('invitation'));
    const result = await withdrawInvitation(db, actor, { id, now: clock.now() });
    if (result === 'not-owner') return sendOwnersOnly(area);
    if (result === 'unknown') throw notFound();
    const section = form.get('section') === 'roles' ? 'roles' : 'members';
    return doneAt(`${path}/${section}`, 'invitation-withdrawn');
  }
}

export function sellerInvitationsPage(
  props: CommunityPageProps & { baseUrl: string; invitations: ShownList<SentInvitation> },
): Page {
  const { community, invitations } = props;
  const base = communityPath(community.id);
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: t('Invitations'),
    parent: 'section',
    children: (
      <ListPanel
        heading={t('Newest first')}
        label={t('Invitations')}
        list={invitations}
        columns={invitationColumns({ community, section: 'members' })}
        empty={{
          title: t('No invitations'),
          text: t('Invitations appear here until they are accepted or expire.'),
          action: { href: `${base}/members/new`, label: t('Invite a member') },
        }}
        path={`${base}/invitations`}
        first={phrase('newest')}
      >
        <InvitationHint baseUrl={props.baseUrl} />
      </ListPanel>
    ),
  });
}

function InvitationHint({ baseUrl }: { baseUrl: string }) {
  return (
    <p class="muted">
      {t(
        'An invitation gives no access until the holder of the address accepts it. We send one e-mail about it, unless the holder of the address or our limits prevent it. You can also ask the person to sign in here:',
      )}{' '}
      <CopyText label={t('address of the account page')} value={`${baseUrl}/account`} />
    </p>
  );
}

interface InvitationListProps {
  community: { id: string };
  section: 'members' | 'roles';
  /** @default true */
  canWithdraw?: boolean;
}

export function OpenInvitations(
  props: InvitationListProps & { baseUrl: string; invitations: ListPage<SentInvitation> },
) {
  const { baseUrl, invitations, community } = props;
  if (invitations.rows.length === 0) return null;
  return (
    <Panel heading={t('Open invitations')} id="invited">
      <InvitationHint baseUrl={baseUrl} />
      <Table label={t('Invitations')} rows={invitations.rows} columns={invitationColumns(props)} />
      {props.section === 'members' && invitations.next !== undefined && (
        <div class="panel-actions">
          <ButtonLink
            isSmall
            href={`${communityPath(community.id)}/invitations`}
            label={t('Show all invitations')}
          />
        </div>
      )}
    </Panel>
  );
}

function invitationColumns(props: InvitationListProps): Column<SentInvitation>[] {
  const { community, section, canWithdraw = true } = props;
  const withdrawal = ({ id, email, declinedAt }: SentInvitation) =>
    declinedAt === null && (
      <ActionForm
        action={`${communityPath(community.id)}/invitations/withdraw`}
        fields={{ invitation: id, section }}
        label={t('Withdraw')}
        about={t('the invitation of {email}', { email })}
      />
    );
  return [
    { heading: phrase('E-mail address'), cell: ({ email }) => <bdi>{email}</bdi> },
    {
      heading: section === 'roles' ? phrase('Role') : phrase('Access'),
      cell: (invitation) => <Offer {...invitation} />,
    },
    { heading: phrase('Status'), cell: (invitation) => <State invitation={invitation} /> },
    { heading: phrase('Invited'), cell: ({ createdAt }) => <Time at={createdAt} precision="date" /> },
    ...(canWithdraw ? [{ heading: phrase('Actions'), isHeadingHidden: true, cell: withdrawal }] : []),
  ];
}

function Offer({ role, validUntil }: Offered) {
  if (role !== null) return <>{roleInWords(role)}</>;
  if (validUntil === null) return <>{t('Lifetime')}</>;
  return <>{t('Until {date}', { date: <Time at={validUntil} precision="date" /> })}</>;
}

function State({ invitation: { declinedAt, expiresAt } }: { invitation: SentInvitation }) {
  if (declinedAt === null) return <Pill tone="warn">{t('Pending')}</Pill>;
  return (
    <>
      <Pill tone="bad">{t('Declined')}</Pill>
      <p class="muted">{t('Blocked until {date}', { date: <Time at={expiresAt} precision="date" /> })}</p>
    </>
  );
}

/** Returns the form error for an invitation that wasn't stored. No message reveals whether there is an account. */
export function invitationError(result: Exclude<SendInvitationResult, { kind: 'invited' }>): FormError {
  return { field: 'email', message: messageOf(result) };
}

function messageOf(result: Exclude<SendInvitationResult, { kind: 'invited' }>): string {
  if (result.kind === 'already-invited') {
    return t('This address is already invited. To change the invitation, withdraw it and invite again.');
  }
  if (result.kind === 'declined') {
    return t('This address declined your invitation. You can invite it again from {date} on.', {
      date: formatTime(result.until, 'date'),
    });
  }
  switch (result.of) {
    case 'sender':
      return t(
        'You have invited this address {max} times, declined invitations included, which is the maximum. Withdraw an invitation or wait.',
        { max: `${result.max}` },
      );
    case 'address':
      return t(
        'This address has too many open invitations. Ask the person to answer them on their account page.',
      );
    case 'community':
      return t('This community has {max} invitations, which is the maximum. Withdraw some first.', {
        max: `${result.max}`,
      });
  }
}
