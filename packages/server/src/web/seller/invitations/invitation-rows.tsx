import type { InvitationOffer } from '../../../domain/invitations/invitation.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { AreaFrame } from '../../ui/frame/area-page.js';
import { ActionForm } from '../../ui/parts/action-form.js';
import { PlainDate } from '../../ui/parts/plain-time.js';
import { communityPath } from '../frame/seller-page.js';
import { roleInWords } from '../frame/seller-wording.js';

/** Explains an invitation, with the address of the page that accepts it. */
export function InvitationHint({ baseUrl }: { baseUrl: string }) {
  return (
    <p class="muted">
      An invitation gives no access until the holder of the address accepts it. This service sends no e-mail
      about it. Ask the person to sign in here: <code class="copyable">{`${baseUrl}/account`}</code>
    </p>
  );
}

/** List of invitations. It shows what the seller typed and nothing else about the person. */
export function InvitationRows(props: {
  invitations: readonly SentInvitation[];
  community: { id: string };
  frame: AreaFrame;
  /** Page that the withdrawal returns to. */
  section: 'members' | 'roles';
  /** @default true */
  canWithdraw?: boolean;
}) {
  const { community, frame, section, canWithdraw = true } = props;
  return (
    <ul class="rows">
      {props.invitations.map((invitation) => (
        <li class="row" key={invitation.id}>
          <div class="row-text">
            <p class="row-title">
              <bdi>{invitation.email}</bdi>
            </p>
            <p class="muted">
              <Offer offer={invitation.offer} />, since <PlainDate at={invitation.createdAt} />
            </p>
          </div>
          <State invitation={invitation} />
          {canWithdraw && invitation.declinedAt === null && (
            <ActionForm
              action={`${communityPath(community.id)}/invitations/withdraw`}
              account={frame.account}
              fields={{ invitation: invitation.id, section }}
              label="Withdraw"
              about={`the invitation of ${invitation.email}`}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Offer({ offer }: { offer: InvitationOffer }) {
  if (offer.kind === 'role') return <>{roleInWords(offer.role)}</>;
  if (offer.validUntil === null) return <>Lifetime</>;
  return (
    <>
      Until <PlainDate at={offer.validUntil} />
    </>
  );
}

function State({ invitation }: { invitation: SentInvitation }) {
  if (invitation.declinedAt === null) return <p class="tag quiet">Invited</p>;
  return (
    <p class="tag quiet">
      Declined, blocked until <PlainDate at={invitation.expiresAt} />
    </p>
  );
}
