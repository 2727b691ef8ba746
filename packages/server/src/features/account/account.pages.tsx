import type { OAuthScope } from '@latchkey/contract/constants';
import { phrase, t } from '../../platform/language/language.js';
import { ACCOUNT_PATH, inAccount } from '../../web/kit/areas/account-area.js';
import { type PageProps, renderAreaPage } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import { ActionForm, ButtonLink } from '../../web/kit/parts/form-parts.js';
import { EmptyState, Pager, Panel } from '../../web/kit/parts/panel.js';
import { ClientLogo } from '../../web/kit/parts/picture.js';
import { SCOPE_WORDING } from '../../web/kit/parts/scope-wording.js';
import { actionsColumn, type Column, ListPanel, type ShownList, Table } from '../../web/kit/parts/table.js';
import { TextOrNone, Time } from '../../web/kit/parts/values.js';
import type { OwnRole } from '../communities/community-access.js';
import type { Offered, ReceivedInvitation } from '../invitations/invitation.queries.js';
import type { OwnMembership, OwnMemberships } from '../memberships/own-memberships.js';
import type { listConsents } from '../oauth/consents.js';

type GrantedConsent = Awaited<ReturnType<typeof listConsents>>['rows'][number];

export function accountPage(
  props: OwnMemberships &
    PageProps & {
      invitations: readonly ReceivedInvitation[];
      isFirst: boolean;
      /** Roles in communities, including inactive ones. */
      roles: ShownList<OwnRole>;
      apps: ShownList<GrantedConsent>;
    },
): Page {
  const { frame, active, upcoming, expired, roles } = props;
  return renderAreaPage({
    ...props,
    ...inAccount(ACCOUNT_PATH),
    title: t('Your account'),
    lead:
      frame.user.email === null
        ? t('Here are your memberships and connected apps.')
        : t('You sign in as {email}. Here are your memberships and connected apps.', {
            email: <bdi>{frame.user.email}</bdi>,
          }),
    children: (
      <>
        <Invitations invitations={props.invitations} />
        <Panel id="memberships" heading={t('Memberships')}>
          {active.length === 0 ? (
            <EmptyState
              title={t('This account has no active membership.')}
              text={t('Memberships of communities and products that you buy or are given appear here.')}
            />
          ) : (
            <Memberships label={t('Memberships')} memberships={active} state="active" />
          )}
        </Panel>
        {upcoming.length > 0 && (
          <Panel id="upcoming" heading={t('Upcoming memberships')}>
            <Memberships label={t('Upcoming memberships')} memberships={upcoming} state="upcoming" />
          </Panel>
        )}
        <Pager
          path={ACCOUNT_PATH}
          next={props.next}
          isFirst={props.isFirst}
          first={phrase('first memberships')}
        />
        <ListPanel
          id="roles"
          heading={t('Communities that you administer')}
          columns={ROLE_COLUMNS}
          list={roles}
          path={ACCOUNT_PATH}
          param="roles"
          first={phrase('first roles')}
        />
        <ListPanel
          id="apps"
          heading={t('Connected apps')}
          columns={APP_COLUMNS}
          list={props.apps}
          empty={{
            title: t('No app has access to your account.'),
            text: t('Apps appear here once you sign in to them with this account.'),
          }}
          noMore={t('There are no more apps.')}
          path={ACCOUNT_PATH}
          param="apps"
          first={phrase('first apps')}
        />
        {props.later.length > 0 && (
          <Panel id="later" heading={t('What comes next')}>
            <Table label={t('What comes next')} columns={LATER_COLUMNS} rows={props.later} />
          </Panel>
        )}
        {expired.length > 0 && (
          <Panel id="expired" heading={t('Past memberships')}>
            <Memberships label={t('Past memberships')} memberships={expired} state="expired" />
          </Panel>
        )}
      </>
    ),
  });
}

const PLAN: Column<{ planName: string | null }> = {
  heading: phrase('Plan'),
  cell: ({ planName }) => <TextOrNone text={planName} none={t('No plan')} />,
};

const LATER_COLUMNS: readonly Column<OwnMemberships['later'][number]>[] = [
  { heading: phrase('Membership'), cell: ({ name }) => <bdi>{name}</bdi> },
  PLAN,
  { heading: phrase('Starts'), cell: ({ startsAt }) => <Time at={startsAt} precision="date" /> },
  {
    heading: phrase('Ends'),
    cell: ({ endsAt }) => (endsAt === null ? t('Never') : <Time at={endsAt} precision="date" />),
  },
];

const APP_COLUMNS: readonly Column<GrantedConsent>[] = [
  {
    heading: phrase('App'),
    cell: ({ name, logoUrl }) => (
      <span class="named">
        <ClientLogo name={name} logoUrl={logoUrl} size="small" />
        <bdi>{name}</bdi>
      </span>
    ),
  },
  { heading: phrase('Access'), cell: ({ scopes }) => scopesInWords(scopes) },
  { heading: phrase('Allowed on'), cell: ({ grantedAt }) => <Time at={grantedAt} precision="date" /> },
  actionsColumn(({ clientId, name }) => (
    <ActionForm
      action="/account/apps/revoke"
      fields={{ clientId }}
      label={t('Remove')}
      about={t('the access of {name}', { name })}
      isDanger
    />
  )),
];

const ROLE_COLUMNS: readonly Column<OwnRole>[] = [
  { heading: phrase('Community'), cell: ({ name }) => <bdi>{name}</bdi> },
  {
    heading: phrase('Role'),
    cell: ({ role, is_active }) => {
      const shown = t(role === 'OWNER' ? 'Owner' : 'Admin');
      return is_active === 1 ? shown : t('{role}, inactive', { role: shown });
    },
  },
  actionsColumn(({ id, name }) => (
    <ButtonLink kind="danger" isSmall href={`/account/roles/${id}/resign`}>
      {t('Leave role')} <span class="visually-hidden">{t('in {name}', { name })}</span>
    </ButtonLink>
  )),
];

/** "Knows who you are" always comes first: `userinfo` requires no scope. */
function scopesInWords(scopes: readonly OAuthScope[]): string {
  const granted = scopes.map((scope) => t(SCOPE_WORDING[scope].granted));
  return granted.reduce((list, item) => t('{list}, {item}', { list, item }), t('Knows who you are'));
}

/** Sellers chose the names, so each is shown as quoted plain text next to the sender's verified address. */
function Invitations({ invitations }: { invitations: readonly ReceivedInvitation[] }) {
  if (invitations.length === 0) return null;
  return (
    <Panel id="invitations" heading={t('Invitations')}>
      <div class="stack">
        <p class="muted">
          {t(
            "Sellers sent these, and wrote the names in quotation marks. Accept only what you expect. Until you accept, a seller doesn't learn if you have an account. Afterwards they see your name, e-mail address and messenger account.",
          )}
        </p>
        <Table label={t('Invitations')} columns={INVITATION_COLUMNS} rows={invitations} />
      </div>
    </Panel>
  );
}

const INVITATION_COLUMNS: readonly Column<ReceivedInvitation>[] = [
  {
    heading: phrase('Community'),
    cell: ({ communityName }) => <>{t('“{name}”', { name: <bdi>{communityName}</bdi> })}</>,
  },
  { heading: phrase('Offer'), cell: (invitation) => <Offer {...invitation} /> },
  {
    heading: phrase('From'),
    cell: ({ senderEmail }) =>
      senderEmail === null ? t('A user without an e-mail address') : <bdi>{senderEmail}</bdi>,
  },
  actionsColumn((invitation) => <Answers invitation={invitation} />),
];

function Answers({ invitation }: { invitation: ReceivedInvitation }) {
  const about = t('the invitation to “{name}”', { name: invitation.communityName });
  const common = { fields: { invitation: invitation.id }, about };
  return (
    <span class="cell-actions">
      <ActionForm action="/account/invitations/accept" label={t('Accept')} {...common} />
      <ActionForm action="/account/invitations/decline" label={t('Decline')} {...common} />
    </span>
  );
}

function Offer({ role, validUntil }: Offered) {
  if (role !== null) {
    if (role === 'ADMIN') return <>{t('Role of an admin')}</>;
    return (
      <div>
        {t('Role of an owner')}
        <p class="muted">{t('As the only owner, you can leave only by closing the community.')}</p>
      </div>
    );
  }
  if (validUntil === null) return <>{t('Membership for life')}</>;
  return <span>{t('Membership until {date}', { date: <Time at={validUntil} precision="date" /> })}</span>;
}

function Memberships(props: {
  label: string;
  memberships: readonly OwnMembership[];
  state: 'active' | 'upcoming' | 'expired';
}) {
  const { label, memberships, state } = props;
  const columns: readonly Column<OwnMembership>[] = [
    {
      heading: phrase('Membership'),
      cell: ({ name, productType }) => (
        <>
          <bdi>{name}</bdi>
          <p class="muted">{t(PRODUCT_TYPES[productType])}</p>
        </>
      ),
    },
    ...(memberships.some(({ planName }) => planName !== null) ? [PLAN] : []),
    {
      heading: phrase(state === 'upcoming' ? 'Starts' : 'Since'),
      cell: ({ validFrom }) => <Time at={validFrom} precision="date" />,
    },
    {
      heading: phrase(state === 'expired' ? 'Ended' : 'Renewal or end'),
      cell: (membership) => <End membership={membership} state={state} />,
    },
    ...(state === 'expired' ? [] : [ACTIONS]),
  ];
  return <Table label={label} columns={columns} rows={memberships} />;
}

const ACTIONS = actionsColumn<OwnMembership>(({ id, name, isRenewing }) => (
  <span class="cell-actions">
    {isRenewing && (
      <ButtonLink isSmall href={`/account/memberships/${id}/cancel`}>
        {t('Cancel {subscription}', {
          subscription: <span class="visually-hidden">{t('the subscription of {name}', { name })}</span>,
        })}
      </ButtonLink>
    )}
    <ButtonLink kind="danger" isSmall href={`/account/memberships/${id}/leave`}>
      {t('Leave')} <span class="visually-hidden">{name}</span>
    </ButtonLink>
  </span>
));

function End({ membership, state }: { membership: OwnMembership; state: string }) {
  const { validUntil, planChangesAt, renewsAt, isRenewing } = membership;
  // A separate list shows what follows the running plan.
  const endsAt = (isRenewing ? renewsAt : planChangesAt) ?? validUntil;
  if (endsAt === null) return <>{t('Lifetime')}</>;
  const end = <Time at={endsAt} precision="date" />;
  if (state === 'expired') return end;
  return <span>{t(isRenewing ? 'Renews on {date}' : 'Ends on {date}', { date: end })}</span>;
}

const PRODUCT_TYPES: Readonly<Record<OwnMembership['productType'], string>> = {
  community: phrase('Community'),
  digital_product: phrase('Digital product'),
  clipping_campaign: phrase('Clipping campaign'),
  agency: phrase('Agency'),
};
