import { type OAuthScope, PATHS } from '@latchkey/contract/constants';
import type { ComponentChildren } from 'preact';
import { ReceiverOrigin, type SignInCardProps, signInCard } from '../sign-in/sign-in-card.js';
import type { PagePerson } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/send-page.js';
import { AlertIcon, ArrowIcon, BoxIcon, LockIcon, PersonIcon, TicketIcon } from '../ui/parts/icons.js';
import type { ClientSummary } from '../ui/parts/picture.js';
import { SCOPE_WORDING } from '../ui/parts/scope-wording.js';

export interface ConsentPageProps {
  client: ClientSummary;
  user: PagePerson;
  /** Requested scopes. The user's identity is always listed too, because `userinfo` requires no scope. */
  scopes: readonly OAuthScope[];
  service: SignInCardProps['service'];
  /** True if the operator has verified the client's owner, name and logo. */
  isVerified: boolean;
  /** Origin that receives the code; `undefined` if no page receives it. */
  receiver: string | undefined;
  /** True for the hosted callback, which closes the window. */
  closesWindow: boolean;
  /**
   * Parameters of the authorization request, sent back as hidden fields. `account` and `decision` are left out.
   */
  query: Readonly<Record<string, string>>;
  account: string;
}

/**
 * Asks the user for consent: `POST /oauth/consent` with the fields of `query`, `account`, and `decision` (`allow` or
 * `decline`). "Use another account" is `POST /sign-out` with `continue`, which returns to the same authorization request.
 */
export function consentPage(props: ConsentPageProps): Page {
  const { client, receiver } = props;
  return signInCard(props, {
    tab: `Allow ${client.name}?`,
    title: (
      <>
        <bdi>{client.name}</bdi> wants to sign you in
      </>
    ),
    below: (
      <>
        {receiver === undefined ? (
          <p class="receiver">The request names no site that could receive your sign-in.</p>
        ) : (
          <ReceiverOrigin text="for" origin={receiver} />
        )}
        {client.description && <p class="lead clamp">{client.description}</p>}
      </>
    ),
    children: (
      <>
        {!props.isVerified && <Unverified serviceName={props.service.name} />}
        <SignedInAs user={props.user} query={props.query} />
        <section aria-labelledby="asks">
          <h2 class="section-label" id="asks">
            It will be able to
          </h2>
          <ul class="grants">
            <Grant icon={<PersonIcon />} title="Know who you are" text={identityInWords(props.user)} />
            {props.scopes.map((scope) => (
              <Grant
                key={scope}
                icon={scope === 'products.read' ? <BoxIcon /> : <TicketIcon />}
                {...SCOPE_WORDING[scope]}
              />
            ))}
          </ul>
          <p class="not-shared">
            <LockIcon />
            <span>It can’t see payments or other apps, or change anything.</span>
          </p>
        </section>
        <form class="decision" method="post" action="/oauth/consent">
          {Object.entries(props.query)
            // A link to the authorization page must not be able to set the user's decision or account.
            .filter(([name]) => name !== 'account' && name !== 'decision')
            .map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
          <input type="hidden" name="account" value={props.account} />
          {/* The style sheet shows the buttons 0.8 seconds late, so that a double click on another page can't consent. */}
          <span class="arming">
            <button class="button secondary" type="submit" name="decision" value="decline">
              Decline
            </button>
          </span>
          <span class="arming">
            <button class="button primary" type="submit" name="decision" value="allow">
              Allow
            </button>
          </span>
        </form>
        <p class="fine centred destination">
          <ArrowIcon />
          {props.closesWindow
            ? 'Either way, this window closes and you return to the site'
            : 'Either way, you continue to the site'}
        </p>
      </>
    ),
  });
}

function Unverified({ serviceName }: { serviceName: string }) {
  return (
    <p class="unverified">
      <AlertIcon />
      <span>
        <strong>
          Not verified by <bdi>{serviceName}</bdi>.
        </strong>{' '}
        Any app can use this name and logo. Continue only if you know the address above.
      </span>
    </p>
  );
}

function SignedInAs(props: { user: PagePerson; query: Readonly<Record<string, string>> }) {
  const { user } = props;
  return (
    <form class="signed-in-as" method="post" action="/sign-out">
      <input
        type="hidden"
        name="continue"
        value={`${PATHS.authorize}?${new URLSearchParams(props.query).toString()}`}
      />
      <p>
        Signed in as{' '}
        <strong>
          <bdi>{user.email ?? user.name ?? 'a member without an e-mail address'}</bdi>
        </strong>
      </p>
      <button class="link-button" type="submit">
        <span class="visually-hidden">Not you? </span>Use another account
      </button>
    </form>
  );
}

function Grant(props: { icon: ComponentChildren; title: string; text: string }) {
  return (
    <li>
      <span class="grant-icon">{props.icon}</span>
      <span>
        <span class="grant-title">{props.title}</span>
        <span class="grant-text">{props.text}</span>
      </span>
    </li>
  );
}

function identityInWords(user: PagePerson): string {
  return user.email === null ? 'Your account ID' : 'Your e-mail address and account ID';
}
