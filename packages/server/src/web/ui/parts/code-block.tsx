import { CopyButton } from './copy.js';

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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it sideways. */}
      <section class="code-text" dir="ltr" tabIndex={0} aria-label={label}>
        <pre>
          <code translate={false} data-copy-source>
            {text}
          </code>
        </pre>
      </section>
    </figure>
  );
}
