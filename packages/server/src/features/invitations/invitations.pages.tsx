import type { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { notFound } from '../../platform/http/http-failure.js';
import { formatTime, phrase, t } from '../../platform/language/language.js';
import { readId } from '../../web/kit/areas/area-routes.js';
import {
  type CommunityForm,
  communityPath,
  doneAt,
  routesOfCommunity,
  sendOwnersOnly,
} from '../../web/kit/areas/seller-area.js';
import { roleInWords } from '../../web/kit/areas/seller-parts.js';
import { ActionForm, type FormError } from '../../web/kit/parts/form-parts.js';
import { type Column, ListPanel, type ShownList } from '../../web/kit/parts/table.js';
import { CopyText, Pill, Time } from '../../web/kit/parts/values.js';
import { type Offered, type SentInvitation, withdrawInvitation } from './invitation.queries.js';
import type { SendInvitationResult } from './send-invitation.js';

export function invitationRoutes(needs: Needs<'baseUrl' | 'clock' | 'db'>): Router {
  const { db, clock } = needs;
  return routesOfCommunity(needs, {
    '/seller/communities/:communityId/invitations/withdraw': { post: withdraw },
  });

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

/** All it shows about the person is what the seller typed. */
export function OpenInvitations(
  props: InvitationListProps & { baseUrl: string; invitations: ShownList<SentInvitation> },
) {
  const { baseUrl, invitations, community, section } = props;
  return (
    <ListPanel
      heading={t('Open invitations')}
      id="invited"
      label={t('Invitations')}
      list={invitations}
      columns={invitationColumns(props)}
      path={`${communityPath(community.id)}/${section}`}
      param="invitations"
      first={phrase('newest')}
    >
      <InvitationHint baseUrl={baseUrl} />
    </ListPanel>
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
