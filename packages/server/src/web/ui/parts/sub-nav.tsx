import type { ComponentChildren } from 'preact';

/** Links between the parts of one thing. They stay in one line, which scrolls where there is little width. */
export function SubNav(props: {
  /** Name of the navigation for screen readers. */
  label: string;
  items: readonly { href: string; label: ComponentChildren }[];
  /** `href` of the page itself. */
  current: string;
}) {
  return (
    <nav class="sub-nav" aria-label={props.label}>
      {props.items.map(({ href, label }) => (
        <a href={href} key={href} {...(href === props.current && { 'aria-current': 'page' as const })}>
          {label}
        </a>
      ))}
    </nav>
  );
}
