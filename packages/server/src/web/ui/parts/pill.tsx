import type { ComponentChildren } from 'preact';

/** Status of a thing in one or two words. Prices, roles and categories are plain text. */
export function Pill(props: { tone: 'good' | 'warn' | 'bad' | 'neutral'; children: ComponentChildren }) {
  return <span class={`pill pill-${props.tone}`}>{props.children}</span>;
}
