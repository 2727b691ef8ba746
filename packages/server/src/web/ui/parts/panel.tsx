import type { ComponentChildren } from 'preact';

/** Section of a page. Its heading and its actions share the first line. */
export function Panel(props: {
  heading?: ComponentChildren;
  /** Buttons or links at the end of the heading's line. */
  actions?: ComponentChildren;
  /** `danger` for actions that cannot be undone. */
  tone?: 'danger';
  children: ComponentChildren;
  /** Anchor of the section. */
  id?: string;
}) {
  const { heading, actions, tone, children, id } = props;
  return (
    <section class={tone === undefined ? 'panel' : `panel panel-${tone}`} id={id}>
      {(heading !== undefined || actions !== undefined) && (
        <div class="panel-heading">
          {heading !== undefined && <h2>{heading}</h2>}
          {actions !== undefined && <div class="panel-heading-actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
