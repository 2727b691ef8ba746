import type { ComponentChildren } from 'preact';
import { ButtonLink } from './button.js';

/** Content of a list without entries: what will be here, and how to add the first. */
export function EmptyState(props: {
  title: string;
  text?: ComponentChildren;
  action?: { href: string; label: string };
}) {
  const { title, text, action } = props;
  return (
    <div class="empty-state">
      <p class="empty-title">{title}</p>
      {text !== undefined && <p class="empty-text">{text}</p>}
      {action !== undefined && <ButtonLink href={action.href}>{action.label}</ButtonLink>}
    </div>
  );
}
