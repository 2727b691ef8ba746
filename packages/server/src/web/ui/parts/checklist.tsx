import type { ComponentChildren } from 'preact';
import { ButtonLink } from './button.js';
import { CheckIcon } from './icons.js';

/** Step of a {@link Checklist}. */
export interface ChecklistStep {
  title: string;
  text: ComponentChildren;
  isDone: boolean;
  action: { href: string; label: string };
}

/** Steps in their order. The first step that is not done has the main button. */
export function Checklist({ steps }: { steps: readonly ChecklistStep[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol class="checklist">
      {steps.map(({ title, text, isDone, action }, index) => (
        <li
          key={title}
          class={isDone ? 'is-done' : undefined}
          aria-current={index === next ? 'step' : undefined}
        >
          <span class="checklist-mark" aria-hidden="true">
            {isDone ? <CheckIcon /> : index + 1}
          </span>
          <div class="checklist-text">
            <p class="checklist-title">
              {title}
              {isDone && <span class="visually-hidden"> (done)</span>}
            </p>
            {!isDone && <p class="muted">{text}</p>}
          </div>
          {!isDone && (
            <ButtonLink kind={index === next ? 'primary' : 'secondary'} isSmall href={action.href}>
              {action.label}
            </ButtonLink>
          )}
        </li>
      ))}
    </ol>
  );
}
