import type { Response } from 'express';
import type { Needs } from '../../app/services.js';
import { phrase, t } from '../../platform/language/language.js';
import { chooserPath } from '../../web/kit/areas/continue-path.js';
import { displayName } from '../../web/kit/frame/area-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { Avatar } from '../../web/kit/parts/picture.js';
import { AddedNotes, AddedText } from '../../web/kit/parts/values.js';
import type { User } from '../users/users.js';
import {
  CodeNote,
  type CodeSource,
  codeSourceOf,
  ReceiverOrigin,
  SignInForm,
  type SignInFormProps,
  signInCard,
  signInContext,
  UnverifiedNote,
} from './sign-in-card.pages.js';
import { peopleByGroup, type SignInPerson } from './sign-in-choices.js';

export async function sendSignInPage(
  { site, signInChoices: { people, inbox }, ...needs }: Needs<'baseUrl' | 'db' | 'signInChoices' | 'site'>,
  response: Response,
  facts: Pick<SignInPageProps, 'continueTo' | 'email' | 'error' | 'accounts'>,
): Promise<void> {
  const { client, app, formTargets } = await signInContext(needs, facts.continueTo);
  const html = signInPage({
    ...facts,
    client,
    service: site.brand,
    receiver: app?.receiver,
    isVerified: app?.isVerified,
    people: people && { ...people, list: withoutAccounts(await people.list(needs.db), facts.accounts) },
    inbox: codeSourceOf(inbox),
  });
  sendPage(response, html, { status: facts.error === undefined ? 200 : 400, formTargets });
}

export const CHOOSE_ACCOUNT_PATH = '/sign-in/account';

function withoutAccounts(people: readonly SignInPerson[], accounts: SignInPageProps['accounts'] = []) {
  return people.filter(({ email }) => !accounts.some((account) => account.email === email));
}

interface SignInPagePeople {
  heading: string;
  action: string;
  list: readonly SignInPerson[];
}

interface SignInPageProps extends SignInFormProps {
  receiver?: string | undefined;
  isVerified?: boolean | undefined;
  email?: string | undefined;
  people?: SignInPagePeople | undefined;
  inbox?: CodeSource | undefined;
  /** Accounts that are signed in to this browser. @default none */
  accounts?: readonly ChoosableAccount[] | undefined;
}

type ChoosableAccount = User & { isCurrent: boolean };

export function signInPage(props: SignInPageProps): Page {
  const { client, service, receiver, continueTo, people, accounts = [] } = props;
  const hasAccounts = accounts.length > 0;
  return signInCard(props, {
    tab: tabOf(hasAccounts, client?.name),
    decides: hasAccounts,
    title: client === undefined ? t('Sign in') : t('Sign in to {site}', { site: <bdi>{client.name}</bdi> }),
    below:
      client === undefined ? (
        <p class="lead">{t('to your memberships and connected apps')}</p>
      ) : (
        <>
          {receiver !== undefined && (
            <ReceiverOrigin text={phrase('to continue to {origin}')} origin={receiver} />
          )}
          {props.isVerified === false && <UnverifiedNote serviceName={service.name} />}
        </>
      ),
    children: (
      <>
        {hasAccounts && <Accounts accounts={accounts} continueTo={continueTo} />}
        <SignInForm
          {...props}
          action="/sign-in/code"
          name="email"
          label={t('E-mail address')}
          input={{
            type: 'email',
            required: true,
            maxlength: 254,
            autocomplete: 'email',
            autocapitalize: 'none',
            spellcheck: false,
            autofocus: !hasAccounts,
            placeholder: t('you@example.com'),
            value: props.email ?? '',
          }}
          button={t('E-mail me a code')}
        >
          <CodeNote source={props.inbox} kind="inbox" />
        </SignInForm>
        {people !== undefined && people.list.length > 0 && (
          <PickPerson people={people} continueTo={continueTo} />
        )}
      </>
    ),
  });
}

function tabOf(hasAccounts: boolean, site: string | undefined): string {
  if (site === undefined) return t(hasAccounts ? 'Choose an account to sign in' : 'Sign in');
  return t(hasAccounts ? 'Choose an account to sign in to {site}' : 'Sign in to {site}', { site });
}

function Accounts({ accounts, continueTo }: { accounts: readonly ChoosableAccount[]; continueTo: string }) {
  return (
    <>
      <section aria-labelledby="accounts">
        <h2 class="section-label" id="accounts">
          {t('Signed in to this browser')}
        </h2>
        <ul class="people accounts">
          {accounts.map((account) => (
            <Account account={account} continueTo={continueTo} key={account.id} />
          ))}
        </ul>
      </section>
      <p class="divider">{t('Use another account')}</p>
    </>
  );
}

function Account({
  account: { id, email, name, isCurrent },
  continueTo,
}: {
  account: ChoosableAccount;
  continueTo: string;
}) {
  const shown = displayName({ email, name: name ?? undefined });
  return (
    <li>
      <form method="post" action={CHOOSE_ACCOUNT_PATH}>
        <input type="hidden" name="continue" value={continueTo} />
        <button class="person" type="submit" name="account" value={id}>
          <Avatar name={shown} />
          <span class="person-text">
            <span class="person-name">
              <bdi>{shown}</bdi>
            </span>
            {shown !== email && (
              <span class="person-email">
                <bdi>{email}</bdi>
              </span>
            )}
            {isCurrent && <span class="person-note">{t('Current account')}</span>}
          </span>
        </button>
      </form>
      <form method="post" action="/sign-out">
        <input type="hidden" name="continue" value={chooserPath(continueTo)} />
        <button class="link-button" type="submit" name="account" value={id}>
          <span aria-hidden="true">{t('Remove')}</span>
          <span class="visually-hidden">{t('Remove {account} from this browser', { account: shown })}</span>
        </button>
      </form>
    </li>
  );
}

function PickPerson({ people, continueTo }: { people: SignInPagePeople; continueTo: string }) {
  const { first, groups, areOpen } = peopleByGroup(people.list);
  return (
    <section aria-labelledby="pick-user">
      <h2 class="divider" id="pick-user">
        <AddedText text={people.heading} />
      </h2>
      <form class="people-groups" method="post" action={people.action} data-at-once>
        <input type="hidden" name="continue" value={continueTo} />
        {first.length > 0 && <PersonButtons people={first} />}
        {groups.map(({ heading, members }) => (
          <details class="fold" key={heading} open={areOpen}>
            <summary>
              <AddedText text={heading} /> ({members.length})
            </summary>
            <PersonButtons people={members} />
          </details>
        ))}
      </form>
    </section>
  );
}

function PersonButtons({ people }: { people: readonly SignInPerson[] }) {
  return (
    <ul class="people">
      {people.map((user) => (
        <li key={user.email}>
          <button class="person" type="submit" name="email" value={user.email}>
            <Avatar name={user.name} />
            <span class="person-text">
              <span class="person-name">
                <bdi>{user.name}</bdi>
              </span>
              <span class="person-email">
                <bdi>{user.email}</bdi>
              </span>
              <span class="person-note">
                <AddedNotes note={user.note} />
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
