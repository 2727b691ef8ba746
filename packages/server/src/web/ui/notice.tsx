import { CheckIcon } from './icons.js';

/** Tells what has just been done. */
export function Notice(props: { text: string }) {
  return (
    <p class="notice" role="status">
      <CheckIcon />
      <span>{props.text}</span>
    </p>
  );
}
