import { useId } from 'preact/hooks';
import { CheckIcon, CopyIcon } from './icons.js';

/**
 * Attribute of a value that no program may translate, such as an id or a secret. Preact leaves out attributes whose value is
 * `false`, so `translate={false}` would have no effect.
 */
export const UNTRANSLATED = { translate: 'no' } as unknown as { readonly translate: false };

/**
 * Read-only value with a label. A click selects all of it. With the page script it has a button that copies it.
 *
 * @param props.isSecret True for a value that is shown once. It is not printed.
 */
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

/** Id or URL within a text. A click selects all of it. With the page script it has a small button that copies it. */
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

/** Button that copies the value beside it. Styles show it if scripts run. */
function CopyButton(props: { label: string; hasText?: boolean }) {
  const { label, hasText = false } = props;
  return (
    <button type="button" class={hasText ? 'copy-button with-text' : 'copy-button'} data-copy={label}>
      <CopyIcon />
      <CheckIcon />
      {hasText ? (
        <>
          <span aria-hidden="true">Copy</span>
          <span class="visually-hidden">Copy {label}</span>
        </>
      ) : (
        <span class="visually-hidden">Copy {label}</span>
      )}
    </button>
  );
}

/** Code or a message to read and to copy. A click selects all of it. Long lines scroll unless `wraps` is true. */
export function CodeBlock(props: {
  /** Name of the code, shown above it. */
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
