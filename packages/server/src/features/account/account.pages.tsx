import type { OAuthScope } from '@latchkey/contract/constants';
import { ACCOUNT_PATH, inAccount } from '../../web/kit/areas/account-area.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ActionForm, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { EmptyState, Pager, Panel } from '../../web/kit/parts/panel.js';
import { ClientLogo } from '../../web/kit/parts/picture.js';
import { SCOPE_WORDING } from '../../web/kit/parts/scope-wording.js';
import { actionsColumn, type Column, ListPanel, type ShownList, Table } from '../../web/kit/parts/table.js';
import { Time } from '../../web/kit/parts/values.js';
import type { OwnRole } from '../communities/community-access.js';
import type { InvitationOffer } from '../invitations/invitation.js';
import type { ReceivedInvitation } from '../invitations/invitation-list.js';
import type { OwnMembership, OwnMemberships } from '../memberships/own-memberships.js';
import type { listConsents } from '../oauth/consents.js';

/** App that the user has allowed. */
type GrantedConsent = Awaited<ReturnType<typeof listConsents>>['rows'][number];

/**
 * Renders the user's invitations, memberships, roles and allowed apps. `POST /account/invitations/accept` and `…/decline`
 * with `account` and `invitation`, `POST /account/apps/revoke` with `account` and `clientId`.
 */
export function accountPage(
  props: OwnMemberships &
    PageProps & {
      /** Open invitations to the user's address. */
      invitations: readonly ReceivedInvitation[];
      isFirst: boolean;
      /** Roles in communities, inactive ones included. */
      roles: ShownList<OwnRole>;
      apps: ShownList<GrantedConsent>;
    },
): Page {
  const { frame, active, upcoming, expired, roles } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(ACCOUNT_PATH),
    title: 'Your account',
    lead: (
      <>
        {frame.user.email !== null && (
          <>
            You sign in as <bdi>{frame.user.email}</bdi>.{' '}
          </>
        )}
        Here are your memberships and connected apps.
      </>
    ),
    children: (
      <>
        <Invitations invitations={props.invitations} />
        <Panel id="memberships" heading="Memberships">
          {active.length === 0 ? (
            <EmptyState
              title="This account has no active membership."
              text="Memberships of communities and products that you buy or are given appear here."
            />
          ) : (
            <Memberships label="Memberships" memberships={active} state="active" />
          )}
        </Panel>
        {upcoming.length > 0 && (
          <Panel id="upcoming" heading="Upcoming memberships">
            <Memberships label="Upcoming memberships" memberships={upcoming} state="upcoming" />
          </Panel>
        )}
        <Pager path={ACCOUNT_PATH} next={props.next} isFirst={props.isFirst} first="first memberships" />
        {(roles.rows.length > 0 || !roles.isFirst) && (
          <ListPanel
            id="roles"
            heading="Communities that you administer"
            label="Communities that you administer"
            columns={ROLE_COLUMNS}
            list={roles}
            path={ACCOUNT_PATH}
            param="roles"
            first="first roles"
          />
        )}
        <ListPanel
          id="apps"
          heading="Connected apps"
          label="Connected apps"
          columns={APP_COLUMNS}
          list={props.apps}
          empty={{
            title: 'No app has access to your account.',
            text: 'Apps appear here once you sign in to them with this account.',
          }}
          noMore="There are no more apps."
          path={ACCOUNT_PATH}
          param="apps"
          first="first apps"
        />
        {props.later.length > 0 && (
          <Panel id="later" heading="What comes next">
            <Table label="What comes next" columns={LATER_COLUMNS} rows={props.later} />
          </Panel>
        )}
        {expired.length > 0 && (
          <Panel id="expired" heading="Past memberships">
            <Memberships label="Past memberships" memberships={expired} state="expired" />
          </Panel>
        )}
      </>
    ),
  });
}

const LATER_COLUMNS: readonly Column<OwnMemberships['later'][number]>[] = [
  { heading: 'Membership', isRowHeading: true, cell: ({ name }) => <bdi>{name}</bdi> },
  {
    heading: 'Plan',
    cell: ({ planName }) => (planName === null ? <span class="muted">No plan</span> : <bdi>{planName}</bdi>),
  },
  { heading: 'Starts', cell: ({ startsAt }) => <Time at={startsAt} precision="date" /> },
  {
    heading: 'Ends',
    cell: ({ endsAt }) => (endsAt === null ? 'Never' : <Time at={endsAt} precision="date" />),
  },
];

const APP_COLUMNS: readonly Column<GrantedConsent>[] = [
  {
    heading: 'App',
    isRowHeading: true,
    cell: ({ name, logoUrl }) => (
      <span class="named">
        <ClientLogo name={name} logoUrl={logoUrl} size="small" />
        <bdi>{name}</bdi>
      </span>
    ),
  },
  { heading: 'Access', cell: ({ scopes }) => scopesInWords(scopes) },
  { heading: 'Allowed on', cell: ({ grantedAt }) => <Time at={grantedAt} precision="date" /> },
  actionsColumn(({ clientId, name }) => (
    <ActionForm
      action="/account/apps/revoke"
      fields={{ clientId }}
      label="Remove"
      about={`the access of ${name}`}
      isDanger
    />
  )),
];

const ROLE_COLUMNS: readonly Column<OwnRole>[] = [
  { heading: 'Community', isRowHeading: true, cell: ({ name }) => <bdi>{name}</bdi> },
  {
    heading: 'Role',
    cell: ({ role, isActive }) => `${role === 'OWNER' ? 'Owner' : 'Admin'}${isActive ? '' : ', inactive'}`,
  },
  actionsColumn(({ id, name }) => (
    <ButtonLink kind="danger" isSmall href={`/account/roles/${id}/resign`}>
      Leave role<span class="visually-hidden"> in {name}</span>
    </ButtonLink>
  )),
];

/** "Knows who you are" is always first, because `userinfo` requires no scope. */
function scopesInWords(scopes: readonly OAuthScope[]): string {
  const granted = scopes.map((scope) => SCOPE_WORDING[scope].title.replace(/^See/, 'sees'));
  return ['Knows who you are', ...granted].join(', ');
}

/**
 * List of open invitations. Sellers chose the names, so each is quoted plain text beside the sender's address, which the
 * sender has proven.
 */
function Invitations({ invitations }: { invitations: readonly ReceivedInvitation[] }) {
  if (invitations.length === 0) return null;
  return (
    <Panel id="invitations" heading="Invitations">
      <div class="stack">
        <p class="muted">
          Sellers sent these, and wrote the names in quotation marks. Accept only what you expect. Until you
          accept, a seller doesn't learn if you have an account. Afterwards they see your name, e-mail address
          and messenger account.
        </p>
        <Table label="Invitations" columns={INVITATION_COLUMNS} rows={invitations} />
      </div>
    </Panel>
  );
}

const INVITATION_COLUMNS: readonly Column<ReceivedInvitation>[] = [
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
  actionsColumn((invitation) => <Answers invitation={invitation} />),
];

function Answers({ invitation }: { invitation: ReceivedInvitation }) {
  const about = `the invitation to “${invitation.communityName}”`;
  const common = { fields: { invitation: invitation.id }, about };
  return (
    <span class="cell-actions">
      <ActionForm action="/account/invitations/accept" label="Accept" {...common} />
      <ActionForm action="/account/invitations/decline" label="Decline" {...common} />
    </span>
  );
}

function Offer({ offer }: { offer: InvitationOffer }) {
  if (offer.kind === 'role') {
    if (offer.role === 'ADMIN') return <>Role of an admin</>;
    return (
      <div>
        Role of an owner
        <p class="muted">As the only owner, you can leave only by closing the community.</p>
      </div>
    );
  }
  if (offer.validUntil === null) return <>Membership for life</>;
  return (
    <span>
      Membership until <Time at={offer.validUntil} precision="date" />
    </span>
  );
}

/** Table of memberships in one state, with their plans, their ends and what the user can do. */
function Memberships(props: {
  label: string;
  memberships: readonly OwnMembership[];
  state: 'active' | 'upcoming' | 'expired';
}) {
  const { label, memberships, state } = props;
  const columns: readonly Column<OwnMembership>[] = [
    {
      heading: 'Membership',
      isRowHeading: true,
      cell: ({ name, productType }) => (
        <>
          <bdi>{name}</bdi>
          <p class="muted">{productTypeInWords(productType)}</p>
        </>
      ),
    },
    ...(memberships.some(({ planName }) => planName !== null) ? [PLAN] : []),
    {
      heading: state === 'upcoming' ? 'Starts' : 'Since',
      cell: ({ validFrom }) => <Time at={validFrom} precision="date" />,
    },
    {
      heading: state === 'expired' ? 'Ended' : 'Renewal or end',
      cell: (membership) => <End membership={membership} state={state} />,
    },
    ...(state === 'expired' ? [] : [ACTIONS]),
  ];
  return <Table label={label} columns={columns} rows={memberships} />;
}

const PLAN: Column<OwnMembership> = {
  heading: 'Plan',
  cell: ({ planName }) => (planName === null ? <span class="muted">No plan</span> : <bdi>{planName}</bdi>),
};

const ACTIONS = actionsColumn<OwnMembership>(({ id, name, isRenewing }) => (
  <span class="cell-actions">
    {isRenewing && (
      <ButtonLink isSmall href={`/account/memberships/${id}/cancel`}>
        Cancel<span class="visually-hidden"> the subscription of {name}</span>
      </ButtonLink>
    )}
    <ButtonLink kind="danger" isSmall href={`/account/memberships/${id}/leave`}>
      Leave<span class="visually-hidden"> {name}</span>
    </ButtonLink>
  </span>
));

function End({ membership, state }: { membership: OwnMembership; state: string }) {
  const { validUntil, planChangesAt, renewsAt, isRenewing } = membership;
  // What follows the running plan is in a list of its own.
  const endsAt = (isRenewing ? renewsAt : planChangesAt) ?? validUntil;
  if (endsAt === null) return <>Lifetime</>;
  const end = <Time at={endsAt} precision="date" />;
  if (state === 'expired') return end;
  return (
    <span>
      {isRenewing ? 'Renews on' : 'Ends on'} {end}
    </span>
  );
}

function productTypeInWords(productType: string): string {
  const words = productType.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
