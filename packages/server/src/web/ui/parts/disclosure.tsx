import type { ComponentChildren } from 'preact';

/** Part of a page that a click on its summary opens and closes. It works without a script. */
export function Disclosure(props: {
  /** One line that is always shown. */
  summary: ComponentChildren;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  const { summary, isOpen = false, children } = props;
  return (
    <details class="disclosure" open={isOpen}>
      <summary>
        <span class="disclosure-summary">{summary}</span>
      </summary>
      <div class="disclosure-content">{children}</div>
    </details>
  );
}
