import type { Database } from '../../platform/database/open-database.js';
import { formatTime, t } from '../../platform/language/language.js';
import type { MailText } from '../../platform/mail/render-mail.js';
import { plainServiceName, quotableName, serviceMail } from '../mail/mail-frame.js';
import type { MailComposer } from '../mail/mail-worker.js';
import { isOffered, isOpen, type Offered } from './invitation.queries.js';
import { createOptOutLink, hasOptedOut } from './invitation-opt-out.js';

export const OPT_OUT_PATH = '/mail/invitations';

/** All that the seller wrote is the community's name, in quotation marks and below the service's own name. */
export const composeInvitation: MailComposer = async ({ subjectId, to }, { db, service, now }) => {
  const invitation = await findInvitation(db, subjectId, now);
  if (invitation === undefined || (await hasOptedOut(db, to))) return undefined;
  const { role, communityName, expiresAt } = invitation;
  const serviceName = plainServiceName(service);
  const community = quotableName(communityName, service.brand.name);
  const key = await createOptOutLink(db, to, now);
  const optOutUrl = `${service.baseUrl}${OPT_OUT_PATH}?${new URLSearchParams({ key })}`;
  return {
    ...serviceMail(service, {
      // Nothing that the seller wrote: inboxes show the subject next to the service's name, and people act on it
      // without opening the mail.
      subject: t('{service}: invitation to a community', { service: serviceName }),
      preview: t('Nothing happens until you accept it.'),
      title:
        community === undefined
          ? t('You are invited to a community')
          : t('You are invited to “{community}”', { community: { name: community } }),
      blocks: [
        invitedTo(role !== null, { community, service: serviceName }),
        {
          facts: {
            [t(role === null ? 'Membership' : 'Role')]: offerInWords(invitation),
            [t('Accept before')]: formatTime(expiresAt),
          },
        },
        { button: t('View the invitation'), href: `${service.baseUrl}/account` },
        { note: t('Sign in with this e-mail address to accept or decline it.') },
        community !== undefined && {
          note: t('The owner of the community chose its name. {service} has not checked it.', {
            service: serviceName,
          }),
        },
        {
          note: t('You do not know this community? You can ignore this e-mail.'),
          link: { label: t('Don’t send me invitations'), href: optOutUrl },
        },
      ],
      reason: t('Someone entered your address to invite you.'),
    }),
    unsubscribeUrl: optOutUrl,
  };
};

async function findInvitation(db: Database, id: string, now: number) {
  return await db
    .selectFrom('invitations')
    .innerJoin('communities', 'communities.id', 'invitations.community_id')
    .select(['communities.name as communityName', 'invitations.role'])
    .select(['invitations.valid_until as validUntil', 'invitations.expires_at as expiresAt'])
    .where('invitations.id', '=', id)
    .where((eb) => isOpen(eb, now))
    .where(isOffered)
    .executeTakeFirst();
}

function invitedTo(
  isRole: boolean,
  { community, service }: { community: string | undefined; service: string },
): MailText {
  if (community === undefined) {
    return t(
      isRole
        ? 'You are invited to help run a community on {service}. Nothing happens until you accept it.'
        : 'You are invited to become a member of a community on {service}. Nothing happens until you accept it.',
      { service },
    );
  }
  return t(
    isRole
      ? 'You are invited to help run “{community}” on {service}. Nothing happens until you accept it.'
      : 'You are invited to become a member of “{community}” on {service}. Nothing happens until you accept it.',
    { service, community: { name: community } },
  );
}

function offerInWords({ role, validUntil }: Offered): string {
  if (role !== null) return t(role === 'OWNER' ? 'Owner' : 'Administrator');
  if (validUntil === null) return t('Lifetime');
  return t('Until {date}', { date: formatTime(validUntil, 'date') });
}
