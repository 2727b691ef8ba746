import { type ComponentChildren, createContext, Fragment } from 'preact';
import { useId } from 'preact/hooks';
import { formatPrice } from '../../../features/plans/price.js';
import {
  type AddedNote,
  currentLanguage,
  formatTime,
  isTranslated,
  numberFormat,
  type TimePrecision,
  t,
  textDirection,
} from '../../../platform/language/language.js';
import { CheckIcon, CopyIcon } from './icons.js';

/**
 * An instant in UTC. The page script shows it in the visitor's time zone and keeps UTC in the title, unless `isUtc`.
 */
export function Time(props: {
  at: number;
  /** @default "minute" */
  precision?: TimePrecision;
  /** True for tools that show UTC throughout. */
  isUtc?: boolean;
}) {
  const { at, precision = 'minute', isUtc = false } = props;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      {...(!isUtc && { 'data-local': precision })}
      dir={textDirection()}
    >
      {formatTime(at, precision)}
    </time>
  );
}

/** What the parts of a page know of the service: its name. */
export const ServiceContext = createContext<{ readonly serviceName?: string }>({});

/** Price in the visitor's locale: `€9.50`, `9,50 €`. */
export function Money(props: { minor: number; currency: string }) {
  return (
    <span class="figures" dir={textDirection()}>
      {formatPrice(props.minor, props.currency)}
    </span>
  );
}

/** Whole number in the visitor's locale: `12,500`, `12.500`. */
export function Count(props: { value: number }) {
  return (
    <span class="figures" dir={textDirection()}>
      {numberFormat(currentLanguage().locale).format(props.value)}
    </span>
  );
}

/** English message of another package, in the current language. Without a translation, it's marked as English. */
export function AddedText({ text, values = {} }: AddedNote) {
  const shown = Object.entries(values).map(([name, value]) => [name, <bdi key={name}>{value}</bdi>]);
  const words = t(text, Object.fromEntries(shown));
  if (isTranslated(text)) return <>{words}</>;
  return (
    <span lang="en" dir="ltr">
      {words}
    </span>
  );
}

/** Text that a person wrote, or the words for none. */
export function TextOrNone({ text, none = t('None') }: { text: string | null; none?: string }) {
  return text === null ? <span class="muted">{none}</span> : <bdi>{text}</bdi>;
}

/** Sentences of another package about a person. */
export function AddedNotes({ note }: { note: string | readonly AddedNote[] }) {
  const notes = typeof note === 'string' ? [{ text: note }] : note;
  return (
    <>
      {notes.map((one, index) => (
        <Fragment key={one.text}>
          {index > 0 && '. '}
          <AddedText {...one} />
        </Fragment>
      ))}
    </>
  );
}

/** Link to the page of something with a name that a person gave. */
export function NameLink({ href, name }: { href: string; name: string }) {
  return (
    <a href={href}>
      <bdi>{name}</bdi>
    </a>
  );
}

/** Status of a thing in one or two words. Prices, roles and categories are plain text. */
export function Pill(props: { tone: 'good' | 'warn' | 'bad' | 'neutral'; children: ComponentChildren }) {
  return <span class={`pill pill-${props.tone}`}>{props.children}</span>;
}

/**
 * Attribute of a value that no program may translate, such as an id or a secret. Preact leaves out attributes that are
 * `false`, so `translate={false}` would have no effect.
 */
export const UNTRANSLATED = { translate: 'no' } as unknown as { readonly translate: false };

/** A click selects all of it. The page script adds a button that copies it. A secret is shown once, and not printed. */
export function CopyField(props: { label: string; value: string; isSecret?: boolean; hint?: string }) {
  const { label, value, isSecret = false, hint } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class={isSecret ? 'copy-field copy-secret' : 'copy-field'} data-copyable>
        <output
          class="copy-value"
          id={id}
          dir="ltr"
          {...UNTRANSLATED}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard user reaches the value to select it.
          tabIndex={0}
          data-copy-source
          {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        >
          {value}
        </output>
        <CopyButton label={label} hasText />
      </div>
    </div>
  );
}

/** Id or URL in a sentence. A click selects all of it. The page script adds a small button that copies it. */
export function CopyText(props: { label: string; value: string }) {
  return (
    <span class="copy-text" data-copyable>
      <code class="copy-value" dir="ltr" {...UNTRANSLATED} data-copy-source>
        {props.value}
      </code>
      <CopyButton label={props.label} />
    </span>
  );
}

/** Button that copies the value next to it. The stylesheet shows it if scripts run. */
function CopyButton(props: { label: string; hasText?: boolean }) {
  const { label, hasText = false } = props;
  return (
    <button type="button" class={hasText ? 'copy-button with-text' : 'copy-button'} data-copy={label}>
      <CopyIcon />
      <CheckIcon />
      {hasText ? (
        <>
          <span aria-hidden="true">{t('Copy')}</span>
          <span class="visually-hidden">{t('Copy {what}', { what: label })}</span>
        </>
      ) : (
        <span class="visually-hidden">{t('Copy {what}', { what: label })}</span>
      )}
    </button>
  );
}

/** Code or a message to read and copy. A click selects all of it. Long lines scroll unless `wraps` is true. */
export function CodeBlock(props: {
  label: string;
  text: string;
  /** @default "text" */
  language?: 'json' | 'http' | 'shell' | 'text';
  wraps?: boolean;
}) {
  const { label, text, language = 'text', wraps = false } = props;
  return (
    <figure class={wraps ? 'code-block wraps' : 'code-block'} data-copyable data-language={language}>
      <figcaption class="code-heading">
        <span class="code-label">{label}</span>
        <CopyButton label={label} />
      </figcaption>
      {/* A group and no section: several blocks of a page may have the same name, as no two landmarks may. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a <fieldset> is for fields. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it sideways. */}
      <div class="code-text" role="group" dir="ltr" tabIndex={0} aria-label={label}>
        <pre>
          <code {...UNTRANSLATED} data-copy-source>
            {text}
          </code>
        </pre>
      </div>
    </figure>
  );
}

/** Facts by label. Facts that are `false` are left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(
        ([label, fact]) =>
          fact !== false && (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{fact}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
