import type { ComponentChildren } from 'preact';
import type { InvitationOffer } from '../../../domain/invitations/invitation.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { CopyText } from '../../ui/parts/copy.js';
import { Pill } from '../../ui/parts/pill.js';
import { Table } from '../../ui/parts/table.js';
import { Time } from '../../ui/parts/time.js';
import { communityPath } from '../frame/seller-paths.js';
import { roleInWords } from '../frame/seller-wording.js';

/** Explains an invitation, with the address of the page that accepts it. */
export function InvitationHint({ baseUrl }: { baseUrl: string }) {
  return (
    <p class="muted">
      An invitation gives no access until the holder of the address accepts it. We send one e-mail about it,
      unless the holder of the address or our limits prevent it. You can also ask the person to sign in here:{' '}
      <CopyText label="address of the account page" value={`${baseUrl}/account`} />
    </p>
  );
}

/** Table of invitations. It shows what the seller typed and nothing else about the person. */
export function InvitationTable(props: {
  /** Name of the table for screen readers. */
  label: string;
  invitations: readonly SentInvitation[];
  community: { id: string };
  frame: AreaFrame;
  section: 'members' | 'roles';
  /** @default true */
  canWithdraw?: boolean;
  /** Content without invitations. */
  empty?: ComponentChildren;
}) {
  const { community, frame, section, canWithdraw = true } = props;
  return (
    <Table
      label={props.label}
      rows={props.invitations}
      rowKey={({ id }) => id}
      empty={props.empty}
      columns={[
        { heading: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi>, isRowHeading: true },
        {
          heading: section === 'roles' ? 'Role' : 'Access',
          cell: ({ offer }) => <Offer offer={offer} />,
        },
        { heading: 'Status', cell: (invitation) => <State invitation={invitation} /> },
        { heading: 'Invited', cell: ({ createdAt }) => <Time at={createdAt} precision="date" /> },
        ...(canWithdraw ? [{ heading: 'Actions', isHeadingHidden: true, cell: withdrawal }] : []),
      ]}
    />
  );

  function withdrawal({ id, email, declinedAt }: SentInvitation) {
    if (declinedAt !== null) return null;
    return (
      <ActionForm
        action={`${communityPath(community.id)}/invitations/withdraw`}
        account={frame.account}
        fields={{ invitation: id, section }}
        label="Withdraw"
        about={`the invitation of ${email}`}
      />
    );
  }
}

function Offer({ offer }: { offer: InvitationOffer }) {
  if (offer.kind === 'role') return <>{roleInWords(offer.role)}</>;
  if (offer.validUntil === null) return <>Lifetime</>;
  return (
    <>
      Until <Time at={offer.validUntil} precision="date" />
    </>
  );
}

function State({ invitation: { declinedAt, expiresAt } }: { invitation: SentInvitation }) {
  if (declinedAt === null) return <Pill tone="warn">Pending</Pill>;
  return (
    <>
      <Pill tone="bad">Declined</Pill>
      <p class="muted">
        Blocked until <Time at={expiresAt} precision="date" />
      </p>
    </>
  );
}
