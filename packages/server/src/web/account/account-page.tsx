import type { OAuthScope } from '@latchkey/contract/constants';
import type { OwnRole } from '../../domain/communities/community-access.js';
import type { InvitationOffer } from '../../domain/invitations/invitation.js';
import type { ReceivedInvitation } from '../../domain/invitations/invitation-list.js';
import type { ListPage } from '../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { ActionForm } from '../ui/parts/action-form.js';
import { ButtonLink } from '../ui/parts/button.js';
import { EmptyState } from '../ui/parts/empty-state.js';
import { Pager } from '../ui/parts/pager.js';
import { Panel } from '../ui/parts/panel.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { SCOPE_WORDING } from '../ui/parts/scope-wording.js';
import { type Column, Table } from '../ui/parts/table.js';
import { Time } from '../ui/parts/time.js';
import { type AccountMembership, Memberships } from './account-memberships.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

/** App that the user has allowed. */
export interface AccountApp {
  clientId: string;
  name: string;
  logoUrl?: string | null | undefined;
  scopes: readonly OAuthScope[];
  /** Milliseconds since the epoch. */
  grantedAt: number;
}

export interface AccountPageProps {
  frame: AreaFrame;
  /** Open invitations to the user's address. */
  invitations: readonly ReceivedInvitation[];
  memberships: readonly AccountMembership[];
  /** Memberships that start in the future. */
  upcoming: readonly AccountMembership[];
  /** Expired memberships, latest end first. */
  expired: readonly AccountMembership[];
  /** Start of the next page of active and upcoming memberships. */
  next?: string | undefined;
  /** Roles in communities, inactive ones included. */
  roles: ListPage<OwnRole>;
  apps: ListPage<AccountApp>;
  isFirst: { memberships: boolean; roles: boolean; apps: boolean };
  /** Confirmation of the last action. */
  notice?: string | undefined;
}

/**
 * Renders the user's invitations, memberships, roles and allowed apps. `POST /account/invitations/accept` and `…/decline`
 * with `account` and `invitation`, `POST /account/apps/revoke` with `account` and `clientId`.
 */
export function accountPage(props: AccountPageProps): Page {
  const { frame, memberships, upcoming, expired } = props;
  return renderAreaPage({
    frame,
    area: 'account',
    sections: ACCOUNT_SECTIONS,
    section: '/account',
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
    notice: props.notice,
    children: (
      <>
        <Invitations invitations={props.invitations} account={frame.account} />
        <Panel id="memberships" heading="Memberships">
          {memberships.length === 0 ? (
            <EmptyState
              title="This account has no active membership."
              text="Memberships of communities and products that you buy or are given appear here."
            />
          ) : (
            <Memberships label="Memberships" memberships={memberships} state="active" />
          )}
        </Panel>
        {upcoming.length > 0 && (
          <Panel id="upcoming" heading="Upcoming memberships">
            <Memberships label="Upcoming memberships" memberships={upcoming} state="upcoming" />
          </Panel>
        )}
        {(props.next !== undefined || !props.isFirst.memberships) && (
          <Pager
            path="/account"
            next={props.next}
            isFirst={props.isFirst.memberships}
            first="first memberships"
          />
        )}
        <Roles roles={props.roles} isFirst={props.isFirst.roles} />
        <Apps apps={props.apps} isFirst={props.isFirst.apps} account={frame.account} />
        {expired.length > 0 && (
          <Panel id="expired" heading="Past memberships">
            <Memberships label="Past memberships" memberships={expired} state="expired" />
          </Panel>
        )}
      </>
    ),
  });
}

function Apps(props: { apps: ListPage<AccountApp>; isFirst: boolean; account: string }) {
  const columns: readonly Column<AccountApp>[] = [
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
    {
      heading: 'Actions',
      isHeadingHidden: true,
      isNumeric: true,
      cell: ({ clientId, name }) => (
        <ActionForm
          action="/account/apps/revoke"
          account={props.account}
          fields={{ clientId }}
          label="Remove"
          about={`the access of ${name}`}
          isDanger
        />
      ),
    },
  ];
  return (
    <Panel id="apps" heading="Connected apps">
      <Table
        label="Connected apps"
        columns={columns}
        rows={props.apps.rows}
        rowKey={({ clientId }) => clientId}
        empty={
          <EmptyState
            title="No app has access to your account."
            text="Apps appear here once you sign in to them with this account."
          />
        }
      />
      <Pager path="/account" param="apps" next={props.apps.next} isFirst={props.isFirst} first="first apps" />
    </Panel>
  );
}

const ROLE_COLUMNS: readonly Column<OwnRole>[] = [
  { heading: 'Community', isRowHeading: true, cell: ({ name }) => <bdi>{name}</bdi> },
  {
    heading: 'Role',
    cell: ({ role, isActive }) => `${role === 'OWNER' ? 'Owner' : 'Admin'}${isActive ? '' : ', inactive'}`,
  },
  {
    heading: 'Actions',
    isHeadingHidden: true,
    isNumeric: true,
    cell: ({ id, name }) => (
      <ButtonLink kind="danger" isSmall href={`/account/roles/${id}/resign`}>
        Leave role<span class="visually-hidden"> in {name}</span>
      </ButtonLink>
    ),
  },
];

function Roles({ roles, isFirst }: { roles: ListPage<OwnRole>; isFirst: boolean }) {
  if (roles.rows.length === 0 && isFirst) return null;
  return (
    <Panel id="roles" heading="Communities that you administer">
      <Table
        label="Communities that you administer"
        columns={ROLE_COLUMNS}
        rows={roles.rows}
        rowKey={({ id }) => id}
      />
      <Pager path="/account" param="roles" next={roles.next} isFirst={isFirst} first="first roles" />
    </Panel>
  );
}

/** "Knows who you are" is always first, because `userinfo` requires no scope. */
function scopesInWords(scopes: readonly OAuthScope[]): string {
  const granted = scopes.map((scope) => SCOPE_WORDING[scope].title.replace(/^See/, 'sees'));
  return ['Knows who you are', ...granted].join(', ');
}

/**
 * List of open invitations. Sellers chose the names, so each is quoted plain text beside the sender's address, which the
 * sender has proven.
 */
function Invitations(props: { invitations: readonly ReceivedInvitation[]; account: string }) {
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
