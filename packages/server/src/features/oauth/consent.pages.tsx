import { type OAuthScope, PATHS } from '@latchkey/contract/constants';
import type { ComponentChildren } from 'preact';
import { phrase, t } from '../../platform/language/language.js';
import { chooserPath } from '../../web/kit/areas/continue-path.js';
import type { PagePerson } from '../../web/kit/frame/area-page.js';
import type { Page } from '../../web/kit/frame/send-page.js';
import {
  AlertIcon,
  ArrowIcon,
  BoxIcon,
  LockIcon,
  PersonIcon,
  TicketIcon,
} from '../../web/kit/parts/icons.js';
import type { ClientSummary } from '../../web/kit/parts/picture.js';
import { SCOPE_WORDING } from '../../web/kit/parts/scope-wording.js';
import { Time } from '../../web/kit/parts/values.js';
import {
  ReceiverOrigin,
  type SignInCardProps,
  StrongName,
  signInCard,
} from '../sign-in/sign-in-card.pages.js';
import type { ConsentChange, changesSinceConsent } from './consents.js';

export interface ConsentPageProps {
  client: ClientSummary;
  user: PagePerson;
  /** Requested scopes. The page also lists the user's identity, which `userinfo` returns without any scope. */
  scopes: readonly OAuthScope[];
  service: SignInCardProps['service'];
  isVerified: boolean;
  /** Origin that receives the code; `undefined` if no page receives it. */
  receiver: string | undefined;
  /** True for the hosted callback, which closes the window. */
  closesWindow: boolean;
  /** Sent back as hidden fields, apart from those with the name of one of the form's own fields. */
  query: Readonly<Record<string, string>>;
  account: string;
  /** Identifies what the page shows (`hashOfShown`). */
  shown: string;
  /** The user's last consent to the client, and what has changed since. */
  last?: Awaited<ReturnType<typeof changesSinceConsent>>;
}

export function consentPage(props: ConsentPageProps): Page {
  const { client, receiver } = props;
  return signInCard(props, {
    tab: t('Allow {app}?', { app: client.name }),
    decides: true,
    title: t('{app} wants to sign you in', { app: <bdi>{client.name}</bdi> }),
    below: (
      <>
        {receiver === undefined ? (
          <p class="receiver">{t('The request names no site that could receive your sign-in.')}</p>
        ) : (
          <ReceiverOrigin text={phrase('for {origin}')} origin={receiver} />
        )}
        {client.description && (
          <p class="lead clamp">
            <bdi>{client.description}</bdi>
          </p>
        )}
      </>
    ),
    children: (
      <>
        {props.last !== undefined && props.last.changes.length > 0 && <Changes last={props.last} />}
        {!props.isVerified && <Unverified serviceName={props.service.name} />}
        <SignedInAs user={props.user} query={props.query} />
        <section aria-labelledby="asks">
          <h2 class="section-label" id="asks">
            {t('It will be able to')}
          </h2>
          <ul class="grants">
            <Grant icon={<PersonIcon />} title={t('Know who you are')} text={identityInWords(props.user)} />
            {props.scopes.map((scope) => (
              <Grant
                key={scope}
                icon={scope === 'products.read' ? <BoxIcon /> : <TicketIcon />}
                title={t(SCOPE_WORDING[scope].title)}
                text={t(SCOPE_WORDING[scope].text)}
              />
            ))}
          </ul>
          <p class="not-shared">
            <LockIcon />
            <span>{t('It can’t see payments or other apps, or change anything.')}</span>
          </p>
        </section>
        <form class="decision" method="post" action="/oauth/consent">
          {Object.entries(props.query)
            // A link to the authorization page must not be able to set the user's decision or account.
            .filter(([name]) => !['account', 'decision', 'shown'].includes(name))
            .map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
          <input type="hidden" name="account" value={props.account} />
          <input type="hidden" name="shown" value={props.shown} />
          <button class="button secondary" type="submit" name="decision" value="decline">
            {t('Decline')}
          </button>
          <button class="button primary" type="submit" name="decision" value="allow">
            {t('Allow')}
          </button>
        </form>
        <p class="fine centred destination">
          <ArrowIcon />
          {props.closesWindow
            ? t('Either way, this window closes and you return to the site')
            : t('Either way, you continue to the site')}
        </p>
      </>
    ),
  });
}

function Changes({ last }: { last: NonNullable<ConsentPageProps['last']> }) {
  return (
    <section class="changed" aria-labelledby="changed">
      <h2 class="section-label" id="changed">
        {t('Changed since you allowed it on {date}', {
          date: <Time at={last.allowedAt} precision="date" />,
        })}
      </h2>
      <ul class="notes">
        {last.changes.map((change) => (
          <li key={change.kind}>
            {change.kind === 'name'
              ? t('Its name was {name}.', { name: <bdi>{change.was}</bdi> })
              : t(CHANGE_WORDING[change.kind])}
          </li>
        ))}
      </ul>
    </section>
  );
}

const CHANGE_WORDING: Readonly<Record<Exclude<ConsentChange['kind'], 'name'>, string>> = {
  look: phrase('Its logo or its description is new.'),
  verification: phrase('It is no longer verified.'),
  receiver: phrase('Your sign-in goes to a new address, the one above.'),
  'redirect-uri': phrase('Your sign-in goes to another page of the site.'),
  scopes: phrase('It asks for more.'),
};

function Unverified({ serviceName }: { serviceName: string }) {
  return (
    <p class="unverified">
      <AlertIcon />
      <span>
        <strong>{t('Not verified by {service}.', { service: <bdi>{serviceName}</bdi> })}</strong>{' '}
        {t('Any app can use this name and logo. Continue only if you know the address above.')}
      </span>
    </p>
  );
}

function SignedInAs(props: { user: PagePerson; query: Readonly<Record<string, string>> }) {
  const { user } = props;
  return (
    <div class="signed-in-as">
      <p>
        {t('Signed in as {account}', {
          account: <StrongName text={user.email ?? user.name ?? t('a member without an e-mail address')} />,
        })}
      </p>
      <a class="link-button" href={chooserPath(`${PATHS.authorize}?${new URLSearchParams(props.query)}`)}>
        <span class="visually-hidden">{t('Not you?')} </span>
        {t('Use another account')}
      </a>
    </div>
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
  return t(user.email === null ? 'Your account ID' : 'Your e-mail address and account ID');
}
