import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import type { ClientSummary } from '../ui/parts/client-summary.js';
import { errorAttributes, FieldError } from '../ui/parts/field-error.js';
import { CodeAuthenticatorNote, type CodeInboxNoteProps } from './code-inbox-note.js';
import { SIGN_IN_FOOTER, type SignInBrand, SignInHeading } from './sign-in-heading.js';
import { SixDigitCodeField } from './six-digit-code-field.js';

/** Kind of code that the page asks for. */
export type SecondStepMethod = 'app' | 'recovery-code';

export interface SecondStepPageProps {
  /** Client whose authorization request led to the sign-in. */
  client?: ClientSummary | undefined;
  service: SignInBrand;
  /** Address of the user who signs in. */
  email: string;
  method: SecondStepMethod;
  /** Destination after sign-in, in the hidden field `continue`. The receiver validates it again. */
  continueTo: string;
  /** Error message for the last code. */
  error?: string | undefined;
  /**
   * Link to a page that shows the current codes of test users.
   *
   * @default none
   */
  authenticator?: CodeInboxNoteProps | undefined;
}

/** Asks for the second factor: `POST /sign-in/second-step` with `code`, `with` and `continue`. */
export function secondStepPage(props: SecondStepPageProps): Page {
  const { client, service, email, method } = props;
  const isApp = method === 'app';
  return renderDocument({
    title: titleOf(props),
    layout: 'card',
    footer: client === undefined ? undefined : SIGN_IN_FOOTER,
    accent: client?.accent,
    children: (
      <main class="card">
        <SignInHeading
          client={client}
          service={service}
          title={isApp ? 'One more step' : 'Use a recovery code'}
        >
          <p class="lead">
            {isApp
              ? 'Enter the code that your authenticator app shows for '
              : 'Enter one of the codes that you saved when you turned on two-step sign-in for '}
            <strong>
              <bdi>{email}</bdi>
            </strong>
            .
          </p>
        </SignInHeading>
        <form class="stack" method="post" action="/sign-in/second-step">
          <input type="hidden" name="continue" value={props.continueTo} />
          <input type="hidden" name="with" value={method} />
          {isApp ? <AppCodeField error={props.error} /> : <RecoveryCodeField error={props.error} />}
          <button class="button primary" type="submit">
            Sign in
          </button>
          {isApp && props.authenticator !== undefined && <CodeAuthenticatorNote {...props.authenticator} />}
        </form>
        <OtherMethods {...props} />
      </main>
    ),
  });
}

/** Names the page in the browser's tab. The titles of all pages differ. */
function titleOf({ method, error }: SecondStepPageProps): string {
  if (method === 'app')
    return error === undefined ? 'Enter the code from your app' : 'That app code did not work';
  return error === undefined ? 'Enter a recovery code' : 'That recovery code did not work';
}

function AppCodeField({ error }: { error: string | undefined }) {
  const title = 'The six digits from your authenticator app';
  return <SixDigitCodeField label="Code from your app" title={title} error={error} />;
}

function RecoveryCodeField({ error }: { error: string | undefined }) {
  return (
    <div class="field">
      <label for="code">Recovery code</label>
      <input
        id="code"
        name="code"
        type="text"
        dir="ltr"
        required
        maxlength={64}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        autofocus
        {...errorAttributes(error, 'code-error')}
      />
      {error !== undefined && <FieldError id="code-error" text={error} />}
    </div>
  );
}

function OtherMethods({ method, continueTo }: SecondStepPageProps) {
  const query = new URLSearchParams({ continue: continueTo });
  if (method === 'app') query.set('with', 'recovery-code');
  return (
    <div class="other-ways">
      <a class="link-button" href={`/sign-in/second-step?${query}`}>
        {method === 'app' ? 'Use a recovery code' : 'Use your app'}
      </a>
      <a class="link-button" href={`/sign-in?${new URLSearchParams({ continue: continueTo })}`}>
        Use another address
      </a>
    </div>
  );
}
