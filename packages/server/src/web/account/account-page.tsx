import type { OAuthScope } from '@latchkey/contract/constants';
import type { OwnRole } from '../../domain/communities/community-access.js';
import type { ReceivedInvitation } from '../../domain/invitations/invitation-list.js';
import type { ListPage } from '../../platform/database/keyset.js';
import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/site.js';
import { AccountField } from '../ui/parts/account-field.js';
import { Pager } from '../ui/parts/pager.js';
import { ClientLogo } from '../ui/parts/picture.js';
import { PlainDate } from '../ui/parts/plain-time.js';
import { SCOPE_WORDING } from '../ui/parts/scope-wording.js';
import { Invitations } from './account-invitations.js';
import { ACCOUNT_SECTIONS } from './account-sections.js';

/** Membership in the lists of the account page. Times are milliseconds since the epoch. */
export interface AccountMembership {
  id: string;
  name: string;
  /** `community`, `digital_product`, `clipping_campaign` or `agency`. */
  productType: string;
  validFrom: number;
  /** Null for a lifetime membership. */
  validUntil: number | null;
  /** True if a subscription renews it. */
  isRenewing: boolean;
}

/** App that the user has allowed. */
export interface AccountApp {
  clientId: string;
  name: string;
  logoUrl?: string | null | undefined;
  scopes: readonly OAuthScope[];
  /** Milliseconds since the epoch. */
  grantedAt: number;
}

/** Props of {@link accountPage}. */
export interface AccountPageProps {
  frame: AreaFrame;
  /** Open invitations to the user's address. */
  invitations: readonly ReceivedInvitation[];
  /** Active memberships. */
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
  /** True for the first page of each list. */
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
        Here are your memberships and the apps that can access your account.
      </>
    ),
    notice: props.notice,
    children: (
      <>
        <Invitations invitations={props.invitations} account={frame.account} />
        <section class="panel" aria-labelledby="memberships">
          <h2 id="memberships">Memberships</h2>
          {memberships.length === 0 ? (
            <p class="empty">You have no active membership.</p>
          ) : (
            <MembershipRows memberships={memberships} state="active" />
          )}
        </section>
        {upcoming.length > 0 && (
          <section class="panel" aria-labelledby="upcoming">
            <h2 id="upcoming">Upcoming memberships</h2>
            <MembershipRows memberships={upcoming} state="upcoming" />
          </section>
        )}
        {(props.next !== undefined || !props.isFirst.memberships) && (
          <section class="panel" aria-label="More memberships">
            <Pager
              path="/account"
              next={props.next}
              isFirst={props.isFirst.memberships}
              first="first memberships"
            />
          </section>
        )}
        <Roles roles={props.roles} isFirst={props.isFirst.roles} />
        <Apps apps={props.apps} isFirst={props.isFirst.apps} account={frame.account} />
        {expired.length > 0 && (
          <section class="panel" aria-labelledby="expired">
            <h2 id="expired">Past memberships</h2>
            <MembershipRows memberships={expired} state="expired" />
          </section>
        )}
      </>
    ),
  });
}

type MembershipState = 'active' | 'upcoming' | 'expired';

function MembershipRows(props: { memberships: readonly AccountMembership[]; state: MembershipState }) {
  return (
    <ul class="rows">
      {props.memberships.map((membership) => (
        <li class="row" key={membership.id}>
          <div class="row-text">
            <p class="row-title">
              <bdi>{membership.name}</bdi>
            </p>
            <p class="muted">
              {productTypeInWords(membership.productType)}, {props.state === 'upcoming' ? 'from' : 'since'}{' '}
              <PlainDate at={membership.validFrom} />
            </p>
          </div>
          <p class={props.state === 'active' ? 'tag' : 'tag quiet'}>
            <End membership={membership} state={props.state} />
          </p>
          {membership.isRenewing && (
            <a class="button secondary small" href={`/account/memberships/${membership.id}/cancel`}>
              Cancel<span class="visually-hidden"> the subscription of {membership.name}</span>
            </a>
          )}
          {props.state !== 'expired' && (
            <a class="button secondary small" href={`/account/memberships/${membership.id}/leave`}>
              Leave<span class="visually-hidden"> {membership.name}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function End({ membership, state }: { membership: AccountMembership; state: MembershipState }) {
  const { validUntil, isRenewing } = membership;
  if (validUntil === null) return <>Lifetime</>;
  return (
    <>
      {state === 'expired' ? 'Ended on' : isRenewing ? 'Renews on' : 'Until'} <PlainDate at={validUntil} />
    </>
  );
}

function Apps(props: { apps: ListPage<AccountApp>; isFirst: boolean; account: string }) {
  return (
    <section class="panel" aria-labelledby="apps">
      <h2 id="apps">Apps with access</h2>
      {props.apps.rows.length === 0 ? (
        <p class="empty">No app has access to your account.</p>
      ) : (
        <ul class="rows">
          {props.apps.rows.map((app) => (
            <li class="row" key={app.clientId}>
              <ClientLogo name={app.name} logoUrl={app.logoUrl} size="small" />
              <div class="row-text">
                <p class="row-title">
                  <bdi>{app.name}</bdi>
                </p>
                <p class="muted">
                  {scopesInWords(app.scopes)}. Allowed on <PlainDate at={app.grantedAt} />
                </p>
              </div>
              <form method="post" action="/account/apps/revoke">
                <AccountField account={props.account} />
                <input type="hidden" name="clientId" value={app.clientId} />
                <button class="button secondary small" type="submit">
                  Remove<span class="visually-hidden"> the access of {app.name}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <Pager path="/account" param="apps" next={props.apps.next} isFirst={props.isFirst} first="first apps" />
    </section>
  );
}

function Roles({ roles, isFirst }: { roles: ListPage<OwnRole>; isFirst: boolean }) {
  if (roles.rows.length === 0 && isFirst) return null;
  return (
    <section class="panel" aria-labelledby="roles">
      <h2 id="roles">Communities that you administer</h2>
      <ul class="rows">
        {roles.rows.map(({ id, name, role, isActive }) => (
          <li class="row" key={id}>
            <p class="row-text row-title">
              <bdi>{name}</bdi>
            </p>
            <p class={isActive ? 'tag' : 'tag quiet'}>
              {role === 'OWNER' ? 'Owner' : 'Admin'}
              {!isActive && ', inactive'}
            </p>
            <a class="button secondary small" href={`/account/roles/${id}/resign`}>
              Give up<span class="visually-hidden"> the role in {name}</span>
            </a>
          </li>
        ))}
      </ul>
      <Pager path="/account" param="roles" next={roles.next} isFirst={isFirst} first="first roles" />
    </section>
  );
}

function productTypeInWords(productType: string): string {
  const words = productType.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "Knows who you are" is always first, because `userinfo` requires no scope. */
function scopesInWords(scopes: readonly OAuthScope[]): string {
  const granted = scopes.map((scope) => SCOPE_WORDING[scope].title.replace(/^See/, 'sees'));
  return ['Knows who you are', ...granted].join(', ');
}
