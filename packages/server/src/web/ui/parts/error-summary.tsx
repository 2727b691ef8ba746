import { AlertIcon, CheckIcon } from './icons.js';

export interface FormError {
  /** Name of the field, which is also its id. */
  field: string;
  /** Sentences that say what is wrong and what to change. */
  message: string;
}

/**
 * Lists the errors of a form at the top of the page. It gets the focus when the page opens.
 *
 * @param props.heading The action that the errors prevented.
 */
export function ErrorSummary({
  heading = 'Nothing was saved',
  errors,
}: {
  heading?: string | undefined;
  errors: readonly FormError[];
}) {
  return (
    // biome-ignore lint/a11y/noAutofocus: the user has just sent the form, and without a script nothing else moves the focus here.
    <div class="error-summary" role="alert" tabIndex={-1} autoFocus>
      <AlertIcon />
      <div>
        <h2>{heading}</h2>
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <a href={`#${field}`}>{message}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

export function errorsOf(errors: readonly FormError[] | undefined, field: string): string[] {
  return (errors ?? []).filter((error) => error.field === field).map(({ message }) => message);
}

/** Confirmation of the last action. */
export function Notice(props: { text: string }) {
  return (
    <p class="notice" role="status">
      <CheckIcon />
      <span>{props.text}</span>
    </p>
  );
}
