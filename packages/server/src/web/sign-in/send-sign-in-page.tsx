import type { Response } from 'express';
import type { Needs } from '../../app/services.js';
import { renderDocument } from '../ui/frame/document.js';
import { sendPage } from '../ui/frame/send-page.js';
import type { Page } from '../ui/frame/site.js';
import type { ClientSummary } from '../ui/parts/client-summary.js';
import { errorAttributes, FieldError } from '../ui/parts/field-error.js';
import { Avatar } from '../ui/parts/picture.js';
import { CodeInboxNote, type CodeInboxNoteProps } from './code-inbox-note.js';
import { peopleByGroup } from './people-by-group.js';
import type { SignInPerson } from './sign-in-choices.js';
import { signInContext } from './sign-in-context.js';
import {
  ReceiverOrigin,
  SIGN_IN_FOOTER,
  type SignInBrand,
  SignInHeading,
  UnverifiedNote,
} from './sign-in-heading.js';

export interface SignInPageFacts {
  continueTo: string;
  email?: string | undefined;
  error?: string | undefined;
}

/** Sends the sign-in page, with the status 400 if there is an error. */
export async function sendSignInPage(
  needs: Needs<'baseUrl' | 'db' | 'signInChoices' | 'site'>,
  response: Response,
  { continueTo, email, error }: SignInPageFacts,
): Promise<void> {
  const { people, inbox } = needs.signInChoices;
  const { client, app, formTargets } = await signInContext(needs, continueTo);
  const html = signInPage({
    client,
    service: needs.site.brand,
    receiver: app?.receiver,
    isVerified: app?.isVerified,
    continueTo,
    email,
    error,
    people: people && { ...people, list: await people.list(needs.db) },
    inbox: inbox && { name: inbox.name, href: inbox.href() },
  });
  sendPage(response, html, { status: error === undefined ? 200 : 400, formTargets });
}

/** Users to sign in as with one click, and the form that does it. */
interface SignInPagePeople {
  heading: string;
  action: string;
  list: readonly SignInPerson[];
}

interface SignInPageProps {
  /** Client whose authorization request led to the sign-in. */
  client?: ClientSummary | undefined;
  service: SignInBrand;
  /** Origin of the site that the user returns to. */
  receiver?: string | undefined;
  /** False if the operator has not verified the client's owner, name and logo. */
  isVerified?: boolean | undefined;
  /** Destination after sign-in, in the hidden field `continue`. The receiver validates it again. */
  continueTo: string;
  /** Address to correct. */
  email?: string | undefined;
  /** Error message for the address. */
  error?: string | undefined;
  /**
   * Users to sign in as with one click.
   *
   * @default none
   */
  people?: SignInPagePeople | undefined;
  /**
   * Link to the inbox that codes arrive in.
   *
   * @default none
   */
  inbox?: CodeInboxNoteProps | undefined;
}

/**
 * Asks for the e-mail address: `POST /sign-in/code` with `email` and `continue` sends the code.
 * Choosing one of `people` posts the same fields to their `action`.
 */
export function signInPage(props: SignInPageProps): Page {
  const { client, people } = props;
  return renderDocument({
    title: client === undefined ? 'Sign in' : `Sign in to ${client.name}`,
    layout: 'card',
    footer: props.client === undefined ? undefined : SIGN_IN_FOOTER,
    accent: client?.accent,
    children: (
      <main class="card">
        <Heading {...props} />
        <EmailForm {...props} />
        {people !== undefined && people.list.length > 0 && (
          <PickPerson people={people} continueTo={props.continueTo} />
        )}
      </main>
    ),
  });
}

function Heading({ client, service, receiver, isVerified }: SignInPageProps) {
  if (client === undefined) {
    return (
      <SignInHeading client={client} service={service} title="Sign in">
        <p class="lead">to your memberships and connected apps</p>
      </SignInHeading>
    );
  }
  const title = (
    <>
      Sign in to <bdi>{client.name}</bdi>
    </>
  );
  return (
    <SignInHeading client={client} service={service} title={title}>
      {receiver !== undefined && <ReceiverOrigin text="to continue to" origin={receiver} />}
      {isVerified === false && <UnverifiedNote serviceName={service.name} />}
    </SignInHeading>
  );
}

function EmailForm(props: SignInPageProps) {
  return (
    <form class="stack" method="post" action="/sign-in/code">
      <input type="hidden" name="continue" value={props.continueTo} />
      <div class="field">
        <label for="email">E-mail address</label>
        <input
          id="email"
          name="email"
          type="email"
          required
          maxlength={254}
          autocomplete="email"
          autocapitalize="none"
          spellcheck={false}
          autofocus
          placeholder="you@example.com"
          value={props.email ?? ''}
          {...errorAttributes(props.error, 'email-error')}
        />
        {props.error !== undefined && <FieldError id="email-error" text={props.error} />}
      </div>
      <button class="button primary" type="submit">
        E-mail me a code
      </button>
      {props.inbox !== undefined && <CodeInboxNote {...props.inbox} />}
    </form>
  );
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
