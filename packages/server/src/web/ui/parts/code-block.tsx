import { CopyButton } from './copy.js';
import { UNTRANSLATED } from './untranslated.js';

/** Code or a message to read and to copy. A click selects all of it. Long lines scroll unless `wraps` is true. */
export function CodeBlock(props: {
  /** Name of the code, shown above it. */
  label: string;
  text: string;
  /** @default "text" */
  language?: 'json' | 'http' | 'shell' | 'text';
  /** @default false */
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
