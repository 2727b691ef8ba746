import type { ComponentChildren } from 'preact';
import { t } from '../../../platform/language/language.js';
import { ButtonLink } from './form-parts.js';
import { CheckIcon } from './icons.js';

export interface Step {
  id: string;
  title: string;
  text: ComponentChildren;
  /** Button or link to where the step takes place. */
  action?: ComponentChildren;
  isDone?: boolean;
}

/** Numbered instructions, side by side if there is room. A step that is done has a tick instead of its number. */
export function Steps(props: { steps: readonly Step[]; id?: string }) {
  return (
    <ol class="steps" id={props.id} data-live={props.id !== undefined}>
      {props.steps.map(({ id, title, text, action, isDone = false }, index) => (
        <li class={isDone ? 'step is-done' : 'step'} key={id}>
          <span class="step-marker" aria-hidden="true">
            {isDone ? <CheckIcon /> : index + 1}
          </span>
          <div class="step-text">
            <h2>
              <span class="visually-hidden">{`Step ${index + 1}${isDone ? ', done' : ''}: `}</span>
              {title}
            </h2>
            <p class="muted">{text}</p>
            {action}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Describes what happened, or gives advice. */
export type Check = Step & { isDone: boolean };

/** Things that happen over time. The ones that have happened have a tick. */
export function CheckList(props: { checks: readonly Check[]; id?: string }) {
  return (
    <ul class="checks" id={props.id} data-live={props.id !== undefined}>
      {props.checks.map(({ id, title, text, action, isDone }) => (
        <li class={isDone ? 'check-line is-done' : 'check-line'} key={id}>
          <span class="check-marker" aria-hidden="true">
            {isDone && <CheckIcon />}
          </span>
          <div class="check-text">
            <h3>
              <span class="visually-hidden">{t(isDone ? 'Done:' : 'To come:')} </span>
              {title}
            </h3>
            <p class="muted">{text}</p>
            {action}
          </div>
        </li>
      ))}
    </ul>
  );
}

export interface Task {
  title: string;
  text: ComponentChildren;
  isDone: boolean;
  action: { href: string; label: string };
}

/** Tasks in order. The first one that isn't done has the main button. */
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
              {isDone && <span class="visually-hidden"> {t('(done)')}</span>}
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
