import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { SentInvitation } from '../../../domain/invitations/invitation-list.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import type { Page } from '../../ui/frame/site.js';
import { AccountField } from '../../ui/parts/account-field.js';
import { TextField } from '../../ui/parts/form-field.js';
import { Pager } from '../../ui/parts/pager.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { InvitationHint, InvitationRows } from '../invitations/invitation-rows.js';
import { MemberRows } from './member-rows.js';

/** Raw values of the form of a grant. */
export interface GrantFields {
  email: string;
  /** Value of a `datetime-local` field, in UTC. Empty for a start at once. */
  startsAt: string;
  /** Empty for lifetime. */
  endsAt: string;
}

/** Props of {@link sellerMembersPage}. */
export interface SellerMembersPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  /** Origin of the service. */
  baseUrl: string;
  /** First page of the invitations. */
  invitations: ListPage<SentInvitation>;
  memberships: ListPage<ListedMembership>;
  /** True for the first page of the list. */
  isFirst: boolean;
  /** Search text; empty without a search. */
  search: string;
  fields: GrantFields;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Renders the members of a community, newest first. `GET …/members` with `q` searches for an e-mail address or messenger
 * id. `POST …/members` with `email`, `startsAt` (empty for a start at once) and `endsAt` (empty for lifetime) invites the
 * holder of the address.
 */
export function sellerMembersPage(props: SellerMembersPageProps): Page {
  const { community, now, search } = props;
  const path = `${communityPath(community.id)}/members`;
  return renderCommunityPage({
    ...props,
    section: 'members',
    title: search === '' ? 'Members' : 'Search for a member',
    heading: 'Members',
    children: (
      <>
        <section class="panel" aria-labelledby="list">
          <div class="panel-heading">
            <h2 id="list">{search === '' ? 'Newest first' : 'Search results'}</h2>
            {search === '' && (
              <a class="button secondary small" href={`${path}.csv`} download>
                Download as CSV
              </a>
            )}
          </div>
          <form class="search-form" method="get" action={path}>
            <TextField
              name="q"
              label="Search members"
              hint="Enter a complete e-mail address or a messenger id."
              value={search}
              maxLength={254}
              spellcheck={false}
            />
            <button class="button secondary" type="submit">
              Search
            </button>
          </form>
          {props.memberships.rows.length === 0 ? (
            <p class="empty">{emptyText(props)}</p>
          ) : (
            <div class="panel-list">
              <MemberRows
                memberships={props.memberships.rows}
                hrefOf={({ id }) => `${path}/${id}`}
                now={now}
              />
            </div>
          )}
          {search === '' ? (
            <Pager path={path} next={props.memberships.next} isFirst={props.isFirst} first="newest" />
          ) : (
            <div class="panel-actions">
              <a class="button secondary small" href={path}>
                Show all members
              </a>
            </div>
          )}
        </section>
        {search === '' && props.isFirst && <Invited {...props} />}
        <Grant {...props} path={path} />
      </>
    ),
  });
}

function emptyText({ search, isFirst }: SellerMembersPageProps): string {
  if (search !== '') return 'No member matches this email or messenger id.';
  return isFirst ? 'There are no members yet.' : 'There are no more members.';
}

function Invited({ community, invitations, frame, baseUrl }: SellerMembersPageProps) {
  if (invitations.rows.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="invited">
      <h2 id="invited">Invited</h2>
      <InvitationHint baseUrl={baseUrl} />
      <div class="panel-list">
        <InvitationRows
          invitations={invitations.rows}
          community={community}
          frame={frame}
          section="members"
        />
      </div>
      {invitations.next !== undefined && (
        <div class="panel-actions">
          <a class="button secondary small" href={`${communityPath(community.id)}/invitations`}>
            Show all invitations
          </a>
        </div>
      )}
    </section>
  );
}

function Grant({ frame, fields, errors, path }: SellerMembersPageProps & { path: string }) {
  return (
    <section class="panel" aria-labelledby="grant">
      <h2 id="grant">Invite a member</h2>
      <form class="form" method="post" action={path}>
        <AccountField account={frame.account} />
        <TextField
          name="email"
          label="E-mail address"
          hint="The membership counts once the holder of this address accepts it. They see the community's name and your e-mail address."
          type="email"
          value={fields.email}
          maxLength={254}
          required
          errors={errors}
        />
        <div class="field-pair">
          <TextField
            name="startsAt"
            label="Starts (UTC)"
            hint="Leave blank to start on acceptance."
            type="datetime-local"
            value={fields.startsAt}
            errors={errors}
          />
          <TextField
            name="endsAt"
            label="Ends (UTC)"
            hint="Leave blank for lifetime."
            type="datetime-local"
            value={fields.endsAt}
            errors={errors}
          />
        </div>
        <div class="form-actions">
          <button class="button primary" type="submit">
            Invite
          </button>
        </div>
      </form>
    </section>
  );
}
