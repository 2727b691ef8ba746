import type { ComponentChildren } from 'preact';
import { ButtonLink } from './button.js';
import { CheckIcon } from './icons.js';

export interface Task {
  title: string;
  text: ComponentChildren;
  isDone: boolean;
  action: { href: string; label: string };
}

/** Tasks in their order. The first one that is not done has the main button. */
export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  const next = tasks.findIndex(({ isDone }) => !isDone);
  return (
    <ol class="tasks">
      {tasks.map(({ title, text, isDone, action }, index) => (
        <li
          key={title}
          class={isDone ? 'is-done' : undefined}
          aria-current={index === next ? 'step' : undefined}
        >
          <span class="task-mark" aria-hidden="true">
            {isDone ? <CheckIcon /> : index + 1}
          </span>
          <div class="task-text">
            <p class="task-title">
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
