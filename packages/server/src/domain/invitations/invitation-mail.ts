import type { Database } from '../../platform/database/open-database.js';
import { formatTime } from '../../platform/language/language.js';
import type { MailText } from '../../platform/mail/render-mail.js';
import { renderMail } from '../../platform/mail/render-mail.js';
import { mailFooter, plainServiceName, quotableName } from '../mail/mail-frame.js';
import type { MailComposer } from '../mail/mail-worker.js';
import { type InvitationOffer, isOffered, isOpen, offerOf } from './invitation.js';
import { createOptOutLink, hasOptedOut } from './invitation-opt-out.js';

/** Path of the page that ends invitations by mail. */
export const OPT_OUT_PATH = '/mail/invitations';

/**
 * Composes the mail of an invitation. Of the texts that the seller wrote it contains the name of the community only, in
 * quotation marks and below the service's own name.
 */
export const composeInvitation: MailComposer = async ({ subjectId, to }, { db, service, now }) => {
  const invitation = await findInvitation(db, subjectId, now);
  if (invitation === undefined || (await hasOptedOut(db, to))) return undefined;
  const { offer, communityName, expiresAt } = invitation;
  const serviceName = plainServiceName(service);
  const community = quotableName(communityName, service.brand.name);
  const name: MailText = community === undefined ? ['a community'] : ['“', { name: community }, '”'];
  const key = await createOptOutLink(db, to, now);
  const optOutUrl = `${service.baseUrl}${OPT_OUT_PATH}?${new URLSearchParams({ key })}`;
  return {
    ...renderMail({
      brand: { ...service.brand, name: serviceName },
      // Nothing that the seller wrote: inboxes show the subject beside the name of the service, and people act on it unopened.
      subject: `${serviceName}: invitation to a community`,
      preview: 'Nothing happens until you accept it.',
      title: ['You are invited to ', ...name],
      blocks: [
        {
          kind: 'text',
          text: [invitedTo(offer), ...name, ` on ${serviceName}. Nothing happens until you accept it.`],
        },
        {
          kind: 'facts',
          facts: [
            { label: offer.kind === 'role' ? 'Role' : 'Membership', value: offerInWords(offer) },
            { label: 'Accept before', value: formatTime(expiresAt) },
          ],
        },
        { kind: 'button', label: 'View the invitation', href: `${service.baseUrl}/account` },
        {
          kind: 'note',
          text: `Sign in with this e-mail address to accept or decline it.${community === undefined ? '' : ` The owner of the community chose its name. ${serviceName} has not checked it.`}`,
        },
        {
          kind: 'note',
          text: 'You do not know this community? You can ignore this e-mail.',
          link: { label: 'Don’t send me invitations', href: optOutUrl },
        },
      ],
      footer: mailFooter(service, 'Someone entered your address to invite you.'),
    }),
    unsubscribeUrl: optOutUrl,
  };
};

/** Finds the invitation if it can still be accepted. */
async function findInvitation(db: Database, id: string, now: number) {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('communities', 'communities.id', 'invitations.community_id')
    .select(['communities.name', 'invitations.role', 'invitations.valid_from', 'invitations.valid_until'])
    .select('invitations.expires_at')
    .where('invitations.id', '=', id)
    .where((eb) => isOpen(eb, now))
    .where(isOffered)
    .executeTakeFirst();
  return row && { communityName: row.name, offer: offerOf(row), expiresAt: row.expires_at };
}

function invitedTo(offer: InvitationOffer): string {
  return offer.kind === 'role' ? 'You are invited to help run ' : 'You are invited to become a member of ';
}

function offerInWords(offer: InvitationOffer): string {
  if (offer.kind === 'role') return offer.role === 'OWNER' ? 'Owner' : 'Administrator';
  return offer.validUntil === null ? 'Lifetime' : `Until ${formatTime(offer.validUntil, 'date')}`;
}
