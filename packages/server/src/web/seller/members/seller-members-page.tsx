import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import type { ListedMembership } from '../../../domain/memberships/membership-list.js';
import type { ListPage } from '../../../platform/database/keyset.js';
import { AccountField } from '../../ui/area-page.js';
import { TextField } from '../../ui/form-field.js';
import { Pager } from '../../ui/pager.js';
import type { Page } from '../../ui/site.js';
import { communityPath, renderCommunityPage, type SellerPageProps } from '../frame/seller-page.js';
import { MemberRows } from './member-rows.js';

/** The fields of a grant, as they were typed. */
export interface GrantFields {
  email: string;
  /** As a `datetime-local` field has them, by UTC; empty for now. */
  startsAt: string;
  /** Empty for life. */
  endsAt: string;
}

/** Props of {@link sellerMembersPage}. */
export interface SellerMembersPageProps extends SellerPageProps {
  community: AdministeredCommunity;
  memberships: ListPage<ListedMembership>;
  /** Whether the list stands at its beginning. */
  isFirst: boolean;
  /** What was searched for; empty when nothing was. */
  search: string;
  fields: GrantFields;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * The members of a community, the newest first. `GET …/members` with `q`, an address or a messenger id;
 * `POST …/members` with `email`, `startsAt` (empty for now) and `endsAt` (empty for life).
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
          <h2 id="list">{search === '' ? 'Newest first' : 'Found'}</h2>
          <form class="search-form" method="get" action={path}>
            <TextField
              name="q"
              label="Find somebody"
              hint="A whole e-mail address, or a messenger id."
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
                Show everybody
              </a>
            </div>
          )}
        </section>
        <Grant {...props} path={path} />
      </>
    ),
  });
}

function emptyText({ search, isFirst }: SellerMembersPageProps): string {
  if (search !== '') return 'Nobody here has this very address or messenger id.';
  return isFirst ? 'Nobody is a member yet.' : 'There is nobody else.';
}

function Grant({ frame, fields, errors, path }: SellerMembersPageProps & { path: string }) {
  return (
    <section class="panel" aria-labelledby="grant">
      <h2 id="grant">Grant a membership</h2>
      <form class="form" method="post" action={path}>
        <AccountField account={frame.account} />
        <TextField
          name="email"
          label="E-mail address"
          hint="Somebody who has never been here gets an account that they sign in to with this address."
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
            hint="Empty: now."
            type="datetime-local"
            value={fields.startsAt}
            errors={errors}
          />
          <TextField
            name="endsAt"
            label="Ends (UTC)"
            hint="Empty: for life."
            type="datetime-local"
            value={fields.endsAt}
            errors={errors}
          />
        </div>
        <div class="form-actions">
          <button class="button primary" type="submit">
            Grant it
          </button>
        </div>
      </form>
    </section>
  );
}
