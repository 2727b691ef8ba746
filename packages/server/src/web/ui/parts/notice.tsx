import { CheckIcon } from './icons.js';

/** Confirmation of the last action. */
export function Notice(props: { text: string }) {
  return (
    <p class="notice" role="status">
      <CheckIcon />
      <span>{props.text}</span>
    </p>
  );
}
