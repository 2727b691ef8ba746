import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import type { ClientSummary } from '../ui/parts/client-summary.js';
import { UNTRANSLATED } from '../ui/parts/untranslated.js';
import { CodeInboxNote, type CodeInboxNoteProps } from './code-inbox-note.js';
import { SIGN_IN_FOOTER, type SignInBrand, SignInHeading } from './sign-in-heading.js';
import { SixDigitCodeField } from './six-digit-code-field.js';

/** Props of {@link signInCodePage}. */
export interface SignInCodePageProps {
  /** Client whose authorization request led to the sign-in. */
  client?: ClientSummary | undefined;
  /** Brand of the service. */
  service: SignInBrand;
  /** Address that the code was sent to. */
  email: string;
  /** Letters that the e-mail contains too. */
  reference: string;
  /** Destination after sign-in, in the hidden field `continue`. The receiver validates it again. */
  continueTo: string;
  /** Error message for the last code. */
  error?: string | undefined;
  /** Number of tries left, shown beside the error. */
  triesLeft?: number | undefined;
  /**
   * Link to the inbox that the code arrives in.
   *
   * @default none
   */
  inbox?: CodeInboxNoteProps | undefined;
}

/**
 * Asks for the e-mailed code: `POST /sign-in/verify` with `code` and `continue`.
 * `POST /sign-in/code` with `email` and `continue` requests a new code.
 */
export function signInCodePage(props: SignInCodePageProps): Page {
  return renderDocument({
    title: props.error === undefined ? 'Enter your code' : 'That code did not work',
    layout: 'card',
    footer: props.client === undefined ? undefined : SIGN_IN_FOOTER,
    accent: props.client?.accent,
    children: (
      <main class="card">
        <SignInHeading client={props.client} service={props.service} title="Check your e-mail">
          <p class="lead">
            We sent a six-digit code to{' '}
            <strong>
              <bdi>{props.email}</bdi>
            </strong>
            . Its reference is <strong {...UNTRANSLATED}>{props.reference}</strong>.
          </p>
        </SignInHeading>
        <CodeForm {...props} />
        <OtherWays email={props.email} continueTo={props.continueTo} />
      </main>
    ),
  });
}

function CodeForm(props: SignInCodePageProps) {
  const error = errorText(props.error, props.triesLeft);
  return (
    <form class="stack" method="post" action="/sign-in/verify">
      <input type="hidden" name="continue" value={props.continueTo} />
      <SixDigitCodeField label="Six-digit code" title="The six digits from the e-mail" error={error} />
      <button class="button primary" type="submit">
        Sign in
      </button>
      {props.inbox !== undefined && <CodeInboxNote {...props.inbox} />}
    </form>
  );
}

function OtherWays(props: { email: string; continueTo: string }) {
  return (
    <div class="other-ways">
      <form method="post" action="/sign-in/code">
        <input type="hidden" name="email" value={props.email} />
        <input type="hidden" name="continue" value={props.continueTo} />
        <button class="link-button" type="submit">
          Send a new code
        </button>
      </form>
      <a class="link-button" href={`/sign-in?continue=${encodeURIComponent(props.continueTo)}`}>
        Use another address
      </a>
    </div>
  );
}

function errorText(error: string | undefined, triesLeft: number | undefined): string | undefined {
  if (error === undefined || triesLeft === undefined) return error;
  return `${error} ${triesLeft === 1 ? 'One try left.' : `${triesLeft} tries left.`}`;
}
