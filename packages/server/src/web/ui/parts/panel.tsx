import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Section of a page, named by its heading. The heading and the actions share the first line. */
export function Panel(props: {
  heading?: ComponentChildren;
  /** Buttons or links at the end of the heading's line. */
  actions?: ComponentChildren;
  /** `danger` for actions that cannot be undone. */
  tone?: 'danger';
  children: ComponentChildren;
  /** Anchor of the section. */
  id?: string | undefined;
}) {
  const { heading, actions, tone, children, id } = props;
  const headingId = useId();
  return (
    <section
      class={tone === undefined ? 'panel' : `panel panel-${tone}`}
      id={id}
      aria-labelledby={heading === undefined ? undefined : headingId}
    >
      {(heading !== undefined || actions !== undefined) && (
        <div class="panel-heading">
          {heading !== undefined && <h2 id={headingId}>{heading}</h2>}
          {actions !== undefined && <div class="panel-heading-actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
