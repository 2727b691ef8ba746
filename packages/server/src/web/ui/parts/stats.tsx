import type { ComponentChildren } from 'preact';

/** Figures side by side, each with its label. */
export function Stats(props: {
  items: readonly {
    label: string;
    value: ComponentChildren;
    /** @default no link */
    href?: string;
  }[];
}) {
  return (
    <dl class="stats">
      {props.items.map(({ label, value, href }) => (
        <div class="stat" key={label}>
          <dt>{label}</dt>
          <dd>{href === undefined ? value : <a href={href}>{value}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}
