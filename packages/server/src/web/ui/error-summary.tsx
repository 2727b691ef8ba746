import { AlertIcon } from './icons.js';

/** What is wrong with one field of a form. */
export interface FormFault {
  /** Id of the field, which is also its name. */
  field: string;
  /** Whole sentences: what is wrong, and what to change. */
  message: string;
}

/** Says at the head of a page that a form was not taken; has the focus when the page opens. */
export function FaultSummary(props: { faults: readonly FormFault[] }) {
  return (
    // biome-ignore lint/a11y/noAutofocus: the person has just sent the form, and without a script nothing else leads there.
    <div class="fault-summary" role="alert" tabIndex={-1} autoFocus>
      <AlertIcon />
      <div>
        <h2>Nothing was saved</h2>
        <ul>
          {props.faults.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <a href={`#${field}`}>{message}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The messages that belong to one field. */
export function faultsOf(faults: readonly FormFault[] | undefined, field: string): string[] {
  return (faults ?? []).filter((fault) => fault.field === field).map(({ message }) => message);
}
