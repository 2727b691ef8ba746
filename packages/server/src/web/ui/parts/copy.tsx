import { useId } from 'preact/hooks';
import { CheckIcon, CopyIcon } from './icons.js';
import { UNTRANSLATED } from './untranslated.js';

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
export function CopyButton(props: { label: string; hasText?: boolean }) {
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
