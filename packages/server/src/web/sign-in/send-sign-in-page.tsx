import type { Response } from 'express';
import type { Needs } from '../../app/services.js';
import { type Page, sendPage } from '../ui/frame/send-page.js';
import { Avatar } from '../ui/parts/picture.js';
import {
  CodeNote,
  type CodeSource,
  ReceiverOrigin,
  SignInForm,
  type SignInFormProps,
  signInCard,
  signInContext,
  UnverifiedNote,
} from './sign-in-card.js';
import { peopleByGroup, type SignInPerson } from './sign-in-choices.js';

/** Sends the sign-in page, with the status 400 if there is an error. */
export async function sendSignInPage(
  { site, signInChoices: { people, inbox }, ...needs }: Needs<'baseUrl' | 'db' | 'signInChoices' | 'site'>,
  response: Response,
  facts: { continueTo: string; email?: string | undefined; error?: string | undefined },
): Promise<void> {
  const { client, app, formTargets } = await signInContext(needs, facts.continueTo);
  const html = signInPage({
    ...facts,
    client,
    service: site.brand,
    receiver: app?.receiver,
    isVerified: app?.isVerified,
    people: people && { ...people, list: await people.list(needs.db) },
    inbox: inbox && { name: inbox.name, href: inbox.href() },
  });
  sendPage(response, html, { status: facts.error === undefined ? 200 : 400, formTargets });
}

/** Users to sign in as with one click, and the form that does it. */
interface SignInPagePeople {
  heading: string;
  action: string;
  list: readonly SignInPerson[];
}

interface SignInPageProps extends SignInFormProps {
  /** Origin of the site that the user returns to. */
  receiver?: string | undefined;
  /** False if the operator has not verified the client's owner, name and logo. */
  isVerified?: boolean | undefined;
  /** Address to correct. */
  email?: string | undefined;
  people?: SignInPagePeople | undefined;
  inbox?: CodeSource | undefined;
}

/**
 * Asks for the e-mail address: `POST /sign-in/code` with `email` and `continue` sends the code.
 * Choosing one of `people` posts the same fields to their `action`.
 */
export function signInPage(props: SignInPageProps): Page {
  const { client, service, receiver, continueTo, people } = props;
  return signInCard(props, {
    tab: client === undefined ? 'Sign in' : `Sign in to ${client.name}`,
    title:
      client === undefined ? (
        'Sign in'
      ) : (
        <>
          Sign in to <bdi>{client.name}</bdi>
        </>
      ),
    below:
      client === undefined ? (
        <p class="lead">to your memberships and connected apps</p>
      ) : (
        <>
          {receiver !== undefined && <ReceiverOrigin text="to continue to" origin={receiver} />}
          {props.isVerified === false && <UnverifiedNote serviceName={service.name} />}
        </>
      ),
    children: (
      <>
        <SignInForm
          {...props}
          action="/sign-in/code"
          name="email"
          label="E-mail address"
          input={{
            type: 'email',
            required: true,
            maxlength: 254,
            autocomplete: 'email',
            autocapitalize: 'none',
            spellcheck: false,
            autofocus: true,
            placeholder: 'you@example.com',
            value: props.email ?? '',
          }}
          button="E-mail me a code"
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

function PickPerson({ people, continueTo }: { people: SignInPagePeople; continueTo: string }) {
  const { first, groups, areOpen } = peopleByGroup(people.list);
  return (
    <section aria-labelledby="pick-user">
      <h2 class="divider" id="pick-user">
        {people.heading}
      </h2>
      <form class="people-groups" method="post" action={people.action}>
        <input type="hidden" name="continue" value={continueTo} />
        {first.length > 0 && <PersonButtons people={first} />}
        {groups.map(({ heading, members }) => (
          <details class="fold" key={heading} open={areOpen}>
            <summary>
              {heading} ({members.length})
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
              <span class="person-note">{user.note}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
