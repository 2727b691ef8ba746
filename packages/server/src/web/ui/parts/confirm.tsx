import type { ComponentChildren } from 'preact';

/** Disclosure that explains an action and contains its button. It works without JavaScript. */
export function Confirm(props: { label: string; about?: string; text: string; children: ComponentChildren }) {
  return (
    <details class="confirm">
      <summary class="button secondary small">
        {props.label}
        {props.about !== undefined && <span class="visually-hidden"> {props.about}</span>}
      </summary>
      <div class="confirm-body">
        <p class="muted">{props.text}</p>
        {props.children}
      </div>
    </details>
  );
}
