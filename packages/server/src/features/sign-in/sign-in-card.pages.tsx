import type { ComponentChildren, ComponentProps } from 'preact';
import type { Needs } from '../../app/services.js';
import { t, textDirection } from '../../platform/language/language.js';
import { authorizationQueryOf } from '../../web/kit/areas/continue-path.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import { formTargetOf, type Page } from '../../web/kit/frame/send-page.js';
import { AlertIcon, LockIcon, MailIcon } from '../../web/kit/parts/icons.js';
import { ClientLogo, type ClientSummary, ServiceLogo } from '../../web/kit/parts/picture.js';
import { AddedText } from '../../web/kit/parts/values.js';
import { checkAuthorization } from '../oauth/check-authorization.js';
import type { CodeInbox } from './sign-in-choices.js';
import type { AskingApp } from './sign-in-mail.js';

/** `app` is the client as the mail with the code mentions it; `formTargets`, where the form may redirect to. */
export async function signInContext(
  needs: Needs<'baseUrl' | 'db'>,
  continueTo: string,
): Promise<{
  client?: ClientSummary;
  app?: AskingApp;
  formTargets: readonly string[];
  ownOrigins?: readonly string[];
}> {
  const query = authorizationQueryOf(continueTo);
  const checked = query && (await checkAuthorization(needs, query));
  if (checked?.kind !== 'valid') return { formTargets: [] };
  const { client, redirectUri, receiver, ownOrigins } = checked.request;
  const { name, logoUrl, accent, verifiedAt } = client;
  const app = { name, logoUrl, accent, isVerified: verifiedAt !== null, receiver };
  return { client, app, formTargets: [formTargetOf(redirectUri)], ownOrigins };
}

export interface SignInCardProps {
  client?: ClientSummary | undefined;
  service: Pick<ClientSummary, 'name' | 'logoUrl'>;
}

/** The logo is always in the same place and size. Without a client, it's the service's. */
export function signInCard(
  { client, service }: SignInCardProps,
  card: {
    tab: string;
    title: ComponentChildren;
    below: ComponentChildren;
    children: ComponentChildren;
    /** True for a page with a form that decides something. @default false */
    decides?: boolean;
  },
): Page {
  return renderDocument({
    title: card.tab,
    layout: 'card',
    loadsPageScript: card.decides ?? false,
    footer: client === undefined ? undefined : t('Sign-in by'),
    accent: client?.accent,
    children: (
      <main class="card">
        <div class="heading">
          {client === undefined ? (
            <ServiceLogo logoUrl={service.logoUrl} />
          ) : (
            <ClientLogo name={client.name} logoUrl={client.logoUrl} />
          )}
          <h1>{card.title}</h1>
          {card.below}
        </div>
        {card.children}
      </main>
    ),
  });
}

export function UnverifiedNote({ serviceName }: { serviceName: string }) {
  return (
    <p class="unverified-note">
      <AlertIcon />
      <span>{t('Not verified by {service}', { service: <bdi>{serviceName}</bdi> })}</span>
    </p>
  );
}

/** A fake client can copy the name and the logo, but not the origin. `text` contains `{origin}`. */
export function ReceiverOrigin({ text, origin }: { text: string; origin: string }) {
  return <p class="receiver">{t(text, { origin: <StrongName text={origin} /> })}</p>;
}

export function StrongName({ text }: { text: string }) {
  return (
    <strong>
      <bdi>{text}</bdi>
    </strong>
  );
}

type InputAttributes = Omit<ComponentProps<'input'>, 'id' | 'name' | 'class' | 'role' | 'type'> & {
  class?: string;
  type: 'text' | 'email';
};

export interface SignInFormProps extends SignInCardProps {
  /** Destination after sign-in, in the hidden field `continue`. The route that receives it validates it again. */
  continueTo: string;
  error?: string | undefined;
}

export function SignInForm(
  props: Pick<SignInFormProps, 'continueTo' | 'error'> & {
    action: string;
    hidden?: Readonly<Record<string, string>>;
    name: string;
    label: string;
    input: InputAttributes;
    button: string;
    children?: ComponentChildren;
  },
) {
  const { name, error } = props;
  const { class: inputClass, type, ...input } = props.input;
  return (
    <form class="stack" method="post" action={props.action} data-at-once>
      {Object.entries({ continue: props.continueTo, ...props.hidden }).map(([field, value]) => (
        <input type="hidden" name={field} value={value} key={field} />
      ))}
      <div class="field">
        <label for={name}>{props.label}</label>
        <input
          class={inputClass}
          id={name}
          name={name}
          // Preact's types require one literal. Both types accept the same attributes.
          type={type as 'text'}
          {...input}
          {...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': `${name}-error` })}
        />
        {error !== undefined && (
          // Announced when the page opens.
          <p class="field-error" id={`${name}-error`} role="alert">
            <AlertIcon />
            <span>{error}</span>
          </p>
        )}
      </div>
      <button class="button primary" type="submit">
        {props.button}
      </button>
      {props.children}
    </form>
  );
}

export function triesInWords(count: number): string {
  return t('{count} tries left.', { count });
}

/** Browsers show the title if the value isn't six digits. */
export function sixDigitInput(title: string) {
  return {
    class: 'code-input',
    type: 'text',
    required: true,
    inputmode: 'numeric',
    // Apps show a space in the middle, and some users type or paste it.
    pattern: '[0-9]{3}\\s?[0-9]{3}',
    maxlength: 7,
    title,
    autocomplete: 'one-time-code',
    autofocus: true,
  } as const;
}

/** Attributes of the same field in a form of an area. */
export const CODE_FIELD = {
  value: '',
  required: true,
  inputMode: 'numeric',
  maxLength: 7,
  autoComplete: 'one-time-code',
} as const;

export interface CodeSource {
  name: string;
  href: string;
}

export function codeSourceOf(
  page: CodeInbox | undefined,
  email: string | null = null,
): CodeSource | undefined {
  return page && { name: page.name, href: page.href(email ?? undefined) };
}

/** Opens a new tab: the sign-in page is often a popup that must stay open. */
export function CodeNote({ source, kind }: { source: CodeSource | undefined; kind: 'inbox' | 'app' }) {
  if (source === undefined) return null;
  return (
    <p class="fine centred" dir={textDirection()}>
      <CodePlace source={source} kind={kind} icon={kind === 'inbox' ? <MailIcon /> : <LockIcon />} />
    </p>
  );
}

export function CodePlace(props: { source: CodeSource; kind: 'inbox' | 'app'; icon?: ComponentChildren }) {
  const { source, kind, icon } = props;
  const inbox = (
    <a
      {...(icon !== undefined && { class: 'inline-icon' })}
      href={source.href}
      target="_blank"
      rel="noopener"
    >
      {icon}
      <AddedText text={source.name} />
      <span class="visually-hidden"> {t('(opens in a new tab)')}</span>
    </a>
  );
  return (
    <>{t(kind === 'inbox' ? 'Codes arrive in the {inbox}.' : 'Test codes are in the {inbox}.', { inbox })}</>
  );
}
