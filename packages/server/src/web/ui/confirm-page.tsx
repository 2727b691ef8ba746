import { AccountField, type Area, type AreaFrame, type AreaSection, renderAreaPage } from './area-page.js';
import type { FormFault } from './error-summary.js';
import { TextField } from './form-field.js';
import type { Page } from './site.js';

/** Props of {@link confirmPage}. */
export interface ConfirmPageProps {
  frame: AreaFrame;
  area: Area;
  /** Pages in the navigation of the area. */
  sections: readonly AreaSection[];
  /** `href` of the section that it belongs to. */
  section: string;
  /** The question. */
  title: string;
  /** Name of what it is about: its owner's words. */
  subject: string;
  /** What will happen, a sentence each. */
  consequences: readonly string[];
  /** Root-relative address that the form posts to. */
  action: string;
  /** Names the form, when it is to be taken once. */
  submission?: string | undefined;
  /** Has the person type this much, in the field `confirmation`. */
  confirmation?: { label: string; value: string } | undefined;
  faults?: readonly FormFault[] | undefined;
  button: string;
  /** Whether something ends that cannot be brought back. Default true. */
  isDangerous?: boolean | undefined;
  cancel: AreaSection;
}

/** Asks before something is done that cannot be undone. Posts `account`, and `submission` and `confirmation` if asked. */
export function confirmPage(props: ConfirmPageProps): Page {
  const { frame, area, section, title, subject, confirmation, faults, isDangerous = true } = props;
  return renderAreaPage({
    frame,
    area,
    sections: props.sections,
    section,
    title,
    faults,
    children: (
      <form class="panel form" method="post" action={props.action}>
        <AccountField account={frame.account} />
        {props.submission !== undefined && <input type="hidden" name="submission" value={props.submission} />}
        <h2>
          <bdi>{subject}</bdi>
        </h2>
        <ul class="notes">
          {props.consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
        {confirmation !== undefined && (
          <TextField
            name="confirmation"
            label={confirmation.label}
            value={confirmation.value}
            faults={faults}
            spellcheck={false}
          />
        )}
        <div class="form-actions">
          <button class={`button ${isDangerous ? 'danger' : 'primary'}`} type="submit">
            {props.button}
          </button>
          <a href={props.cancel.href}>{props.cancel.label}</a>
        </div>
      </form>
    ),
  });
}
