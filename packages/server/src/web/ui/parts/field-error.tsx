import { AlertIcon } from './icons.js';

/** Error below a field, announced when the page opens. The field's `aria-describedby` contains `id`. */
export function FieldError(props: { id: string; text: string }) {
  return (
    <p class="field-error" id={props.id} role="alert">
      <AlertIcon />
      <span>{props.text}</span>
    </p>
  );
}

/** Returns the attributes that connect a field to its error, if there is one. */
export function errorAttributes(error: string | undefined, id: string) {
  return error === undefined ? {} : { 'aria-invalid': true as const, 'aria-describedby': id };
}
