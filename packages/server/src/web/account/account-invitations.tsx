import type { InvitationOffer } from '../../domain/invitations/invitation.js';
import type { ReceivedInvitation } from '../../domain/invitations/invitation-list.js';
import { ActionForm } from '../ui/parts/action-form.js';
import { Panel } from '../ui/parts/panel.js';
import { type Column, Table } from '../ui/parts/table.js';
import { Time } from '../ui/parts/time.js';

/**
 * List of open invitations. Sellers chose the names, so each is quoted plain text beside the sender's address, which the
 * sender has proven.
 */
export function Invitations(props: { invitations: readonly ReceivedInvitation[]; account: string }) {
  const { invitations, account } = props;
  if (invitations.length === 0) return null;
  return (
    <Panel id="invitations" heading="Invitations">
      <div class="stack">
        <p class="muted">
          Sellers sent these, and wrote the names in quotation marks. Accept only what you expect. Until you
          accept, a seller doesn't learn if you have an account. Afterwards they see your name, e-mail address
          and messenger account.
        </p>
        <Table label="Invitations" columns={columnsFor(account)} rows={invitations} rowKey={({ id }) => id} />
      </div>
    </Panel>
  );
}

function columnsFor(account: string): readonly Column<ReceivedInvitation>[] {
  return [
    {
      heading: 'Community',
      isRowHeading: true,
      cell: ({ communityName }) => (
        <>
          “<bdi>{communityName}</bdi>”
        </>
      ),
    },
    { heading: 'Offer', cell: ({ offer }) => <Offer offer={offer} /> },
    {
      heading: 'From',
      cell: ({ senderEmail }) =>
        senderEmail === null ? 'A user without an e-mail address' : <bdi>{senderEmail}</bdi>,
    },
    {
      heading: 'Actions',
      isHeadingHidden: true,
      isNumeric: true,
      cell: (invitation) => <Answers invitation={invitation} account={account} />,
    },
  ];
}

function Answers({ invitation, account }: { invitation: ReceivedInvitation; account: string }) {
  const about = `the invitation to “${invitation.communityName}”`;
  const common = { account, fields: { invitation: invitation.id }, about };
  return (
    <span class="cell-actions">
      <ActionForm action="/account/invitations/accept" label="Accept" {...common} />
      <ActionForm action="/account/invitations/decline" label="Decline" {...common} />
    </span>
  );
}

function Offer({ offer }: { offer: InvitationOffer }) {
  if (offer.kind === 'role') {
    return <>{offer.role === 'OWNER' ? 'Role of an owner' : 'Role of an admin'}</>;
  }
  if (offer.validUntil === null) return <>Membership for life</>;
  return (
    <span>
      Membership until <Time at={offer.validUntil} precision="date" />
    </span>
  );
}
