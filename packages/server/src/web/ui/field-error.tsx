import { AlertIcon } from './icons.js';

/** The text of a refused field, announced when the page opens. `id` is what the field's `aria-describedby` names. */
export function FieldError(props: { id: string; text: string }) {
  return (
    <p class="field-error" id={props.id} role="alert">
      <AlertIcon />
      <span>{props.text}</span>
    </p>
  );
}

/** The attributes that tie a field to its error, and none when there is no error. */
export function errorAttributes(error: string | undefined, id: string) {
  return error === undefined ? {} : { 'aria-invalid': true as const, 'aria-describedby': id };
}
