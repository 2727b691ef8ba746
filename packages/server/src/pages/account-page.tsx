import type { OAuthScope } from '@latchkey/contract/constants';
import { renderDocument } from './parts/document.js';
import { Notice } from './parts/notice.js';
import { displayName, type PagePerson } from './parts/person.js';
import { Avatar, ClientLogo } from './parts/picture.js';
import { PlainDate } from './parts/plain-time.js';
import { SCOPE_WORDING } from './parts/scope-wording.js';

/** A membership as the account page lists it. Times are milliseconds since the epoch. */
export interface AccountMembership {
  name: string;
  /** `community`, `digital_product`, `clipping_campaign` or `agency`. */
  productType: string;
  validFrom: number;
  /** Absent or `null`: for life. */
  validUntil?: number | null | undefined;
}

/** An app that the person has allowed. */
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
  user: PagePerson;
  /** Id of the person, sent back in the field `account`: what a form here does, it does for them only. */
  account: string;
  memberships: readonly AccountMembership[];
  apps: readonly AccountApp[];
  /** What has just been done. */
  notice?: string | undefined;
  /** Shows the sandbox ribbon. Default `false`. */
  sandbox?: boolean | undefined;
}

/**
 * The person's memberships and allowed apps. `POST /account/apps/revoke` with `account` and `clientId`;
 * `POST /sign-out`.
 */
export function accountPage(props: AccountPageProps): string {
  const { user } = props;
  return renderDocument({
    title: 'Your account',
    layout: 'wide',
    sandbox: props.sandbox,
    headerEnd: (
      <form method="post" action="/sign-out">
        <button class="button secondary small" type="submit">
          Sign out
        </button>
      </form>
    ),
    children: (
      <main class="column">
        <div class="profile">
          <Avatar name={displayName(user)} size="large" />
          <div>
            <h1>
              <bdi>{displayName(user)}</bdi>
            </h1>
            {user.name !== undefined && user.email !== null && (
              <p class="muted">
                <bdi>{user.email}</bdi>
              </p>
            )}
          </div>
        </div>
        {props.notice !== undefined && <Notice text={props.notice} />}
        <Memberships memberships={props.memberships} />
        <Apps apps={props.apps} account={props.account} />
      </main>
    ),
  });
}

function Memberships(props: { memberships: readonly AccountMembership[] }) {
  return (
    <section class="panel" aria-labelledby="memberships">
      <h2 id="memberships">Memberships</h2>
      {props.memberships.length === 0 ? (
        <p class="empty">You have no active membership.</p>
      ) : (
        <ul class="rows">
          {props.memberships.map((membership) => (
            <li class="row" key={`${membership.productType} ${membership.name} ${membership.validFrom}`}>
              <div class="row-text">
                <p class="row-title">
                  <bdi>{membership.name}</bdi>
                </p>
                <p class="muted">
                  {productTypeInWords(membership.productType)}, since <PlainDate at={membership.validFrom} />
                </p>
              </div>
              <p class="tag">
                <Until validUntil={membership.validUntil} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Until(props: { validUntil: number | null | undefined }) {
  if (props.validUntil === null || props.validUntil === undefined) return <>For life</>;
  return (
    <>
      Until <PlainDate at={props.validUntil} />
    </>
  );
}

function Apps(props: { apps: readonly AccountApp[]; account: string }) {
  return (
    <section class="panel" aria-labelledby="apps">
      <h2 id="apps">Apps with access</h2>
      {props.apps.length === 0 ? (
        <p class="empty">No app has access to your account.</p>
      ) : (
        <ul class="rows">
          {props.apps.map((app) => (
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
                <input type="hidden" name="account" value={props.account} />
                <input type="hidden" name="clientId" value={app.clientId} />
                <button class="button secondary small" type="submit">
                  Remove<span class="visually-hidden"> the access of {app.name}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function productTypeInWords(productType: string): string {
  const words = productType.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "Knows who you are" is always first: `userinfo` needs no scope. */
function scopesInWords(scopes: readonly OAuthScope[]): string {
  const granted = scopes.map((scope) => SCOPE_WORDING[scope].title.replace(/^See/, 'sees'));
  return ['Knows who you are', ...granted].join(', ');
}
