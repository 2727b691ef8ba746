import type { ComponentChildren } from 'preact';

/** Something that cannot be taken back: what it means opens first, the button stands below. Works without a script. */
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
