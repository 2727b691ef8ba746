import { randomUUID } from 'node:crypto';
import { uuidField } from '@latchkey/contract';
import { type ComponentChildren, type ComponentProps, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '../../../platform/language/language.js';
import { AlertIcon, CheckIcon } from './icons.js';

/**
 * Weight of a button. `primary`: the one main action of a view. `danger`: red outline, filled while the pointer is on
 * it. `quiet`: no outline.
 */
export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

interface Look {
  /** @default "secondary" */
  kind?: ButtonKind;
  isSmall?: boolean;
  children: ComponentChildren;
}

/** Button. It submits its form unless it has another `type`. */
export function Button(props: Look & Omit<ComponentProps<'button'>, 'class' | 'className' | 'children'>) {
  const { kind, isSmall, children, type = 'submit', ...rest } = props;
  return (
    <button {...rest} type={type} class={buttonClass(kind, isSmall)}>
      {children}
    </button>
  );
}

/** Link that looks like a button: it opens a page and changes nothing. */
export function ButtonLink(
  props: Omit<Look, 'children'> & {
    href: string;
    label?: ComponentChildren;
    children?: ComponentChildren;
  } & Omit<ComponentProps<'a'>, 'class' | 'className' | 'href' | 'role' | 'label' | 'children'>,
) {
  const { kind, isSmall, label, children, ...rest } = props;
  return (
    <a {...rest} class={buttonClass(kind, isSmall)}>
      {label ?? children}
    </a>
  );
}

export function buttonClass(kind: ButtonKind = 'secondary', isSmall = false): string {
  return `button ${kind}${isSmall ? ' small' : ''}`;
}

/** What the forms of a page get from it: the id of its user, and the errors of the sent form. */
export const FormContext = createContext<{
  account?: string;
  errors?: readonly FormError[] | undefined;
}>({});

/** The user that the form was rendered for. @default the user of the area's page */
export function AccountField(props: { account?: string }) {
  const { account = props.account } = useContext(FormContext);
  if (account === undefined) throw new Error('A form needs the id of its user.');
  return <input type="hidden" name="account" value={account} />;
}

export function ActionForm(props: {
  action: string;
  fields?: Readonly<Record<string, string>>;
  label: string;
  /** Text after the label, for screen readers only: what the action affects. */
  about?: string;
  isDanger?: boolean;
}) {
  const { action, fields = {}, label, about, isDanger = false } = props;
  return (
    <form method="post" action={action}>
      <AccountField />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name} />
      ))}
      <button class={`button small ${isDanger ? 'danger' : 'secondary'}`} type="submit">
        {label}
        {about !== undefined && <span class="visually-hidden"> {about}</span>}
      </button>
    </form>
  );
}

/** Form of a signed-in user: its fields, the submit button and, with `cancelHref`, a way back. */
export function PostForm(props: {
  action: string;
  /** Id of a form that must be processed only once. */
  submission?: string | undefined;
  submit: string;
  /** @default "primary" */
  kind?: ButtonKind;
  /** @default "quiet" */
  cancelKind?: ButtonKind;
  /** True for a form in a separate panel. */
  isPanel?: boolean;
  cancelHref?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { action, submission, submit, kind = 'primary', isPanel = false, cancelHref } = props;
  return (
    <form class={isPanel ? 'panel form' : 'form'} method="post" action={action}>
      <AccountField />
      {submission !== undefined && <input type="hidden" name="submission" value={submission} />}
      {props.children}
      <div class="form-actions">
        <Button kind={kind}>{submit}</Button>
        {props.actions}
        {cancelHref !== undefined && (
          <ButtonLink kind={props.cancelKind ?? 'quiet'} href={cancelHref}>
            {t('Cancel')}
          </ButtonLink>
        )}
      </div>
    </form>
  );
}

export interface FormError {
  /** Name of the field, which is also its id. */
  field: string;
  message: string;
}

/**
 * Lists the errors of a form at the top of the page. It gets the focus when the page opens.
 *
 * @param props.heading the action that the errors prevented.
 */
export function ErrorSummary({
  heading = t('Nothing was saved'),
  errors,
}: {
  heading?: string | undefined;
  errors: readonly FormError[];
}) {
  return (
    // biome-ignore lint/a11y/noAutofocus: the user has just sent the form, and without a script nothing else moves the focus here.
    <div class="error-summary" role="alert" tabIndex={-1} autoFocus>
      <AlertIcon />
      <div>
        <h2>{heading}</h2>
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <a href={`#${field}`}>{message}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Returns the messages about a field. Fields outside an area's page get the errors as a prop. */
export function useErrorsOf({ name, errors }: { name: string; errors?: readonly FormError[] | undefined }) {
  const form = useContext(FormContext);
  return (errors ?? form.errors ?? []).filter(({ field }) => field === name).map(({ message }) => message);
}

export function Notice(props: { text: string }) {
  return (
    <p class="notice" role="status">
      <CheckIcon />
      <span>{props.text}</span>
    </p>
  );
}

/** Creates the id of a form. The id makes sure that the form is processed only once (see `noteSubmission`). */
export function newSubmissionId(): string {
  return randomUUID();
}

export function submissionIdOf(form: URLSearchParams): string {
  const sent = uuidField.safeParse(form.get('submission'));
  return sent.success ? sent.data : newSubmissionId();
}
