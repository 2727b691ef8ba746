import type { ComponentChildren } from 'preact';

/** Links between the parts of one thing. They stay in one line, which scrolls where there is little width. */
export function SubNav(props: {
  /** Name of the navigation for screen readers. */
  label: string;
  items: readonly { href: string; label: ComponentChildren }[];
  /** `href` of the page itself. */
  current: string;
  /** Class of the navigation. Default: "sub-nav". */
  look?: 'sub-nav' | 'area-nav' | 'section-nav';
  /** What is current: the page itself, or the whole part that the page belongs to. Default: "page". */
  currentIs?: 'page' | 'true';
}) {
  const { label, items, current, look = 'sub-nav', currentIs = 'page' } = props;
  return (
    <nav class={look} aria-label={label}>
      {items.map(({ href, label }) => (
        <a href={href} key={href} {...(href === current && { 'aria-current': currentIs })}>
          {label}
        </a>
      ))}
    </nav>
  );
}
