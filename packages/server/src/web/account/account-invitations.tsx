import type { InvitationOffer } from '../../domain/invitations/invitation.js';
import type { ReceivedInvitation } from '../../domain/invitations/invitation-list.js';
import { ActionForm } from '../ui/parts/action-form.js';
import { PlainDate } from '../ui/parts/plain-time.js';

/**
 * List of open invitations. Sellers chose the names, so each is quoted plain text beside the sender's address, which the
 * sender has proven.
 */
export function Invitations(props: { invitations: readonly ReceivedInvitation[]; account: string }) {
  if (props.invitations.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <p class="muted">
        Sellers sent these, and wrote the names in quotation marks. Accept only what you expect. Until you
        accept, a seller doesn't learn if you have an account. Afterwards they see your name, e-mail address
        and messenger account.
      </p>
      <ul class="rows">
        {props.invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} account={props.account} />
        ))}
      </ul>
    </section>
  );
}

function InvitationRow({ invitation, account }: { invitation: ReceivedInvitation; account: string }) {
  const fields = { invitation: invitation.id };
  const about = `the invitation to “${invitation.communityName}”`;
  return (
    <li class="row">
      <div class="row-text">
        <p class="row-title">
          “<bdi>{invitation.communityName}</bdi>”
        </p>
        <p class="muted">
          <Offer offer={invitation.offer} />, from{' '}
          {invitation.senderEmail === null ? (
            'a user without an e-mail address'
          ) : (
            <bdi>{invitation.senderEmail}</bdi>
          )}
        </p>
      </div>
      <div class="row-actions">
        <ActionForm
          action="/account/invitations/accept"
          account={account}
          fields={fields}
          label="Accept"
          about={about}
        />
        <ActionForm
          action="/account/invitations/decline"
          account={account}
          fields={fields}
          label="Decline"
          about={about}
        />
      </div>
    </li>
  );
}

function Offer({ offer }: { offer: InvitationOffer }) {
  if (offer.kind === 'role') {
    return <>{offer.role === 'OWNER' ? 'Role of an owner' : 'Role of an admin'}</>;
  }
  if (offer.validUntil === null) return <>Membership for life</>;
  return (
    <>
      Membership until <PlainDate at={offer.validUntil} />
    </>
  );
}
