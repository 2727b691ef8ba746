import { TextField } from '../parts/form-field.js';
import { AccountField } from '../parts/form-parts.js';
import { type AreaPageProps, type AreaSection, renderAreaPage } from './area-page.js';
import type { Page } from './send-page.js';

/** Props of a page that asks the user to confirm an action. Its title is the question. */
export interface ConfirmPageProps
  extends Pick<AreaPageProps, 'area' | 'errors' | 'frame' | 'section' | 'sections' | 'title'> {
  /** Name of the object of the action. Its owner wrote it, so it is untrusted. */
  subject: string;
  /** Consequences of the action, one sentence each. */
  consequences: readonly string[];
  /** Root-relative path that the form posts to. */
  action: string;
  /** Id of the form, for an action that must run only once. */
  submission?: string | undefined;
  /** Text field `confirmation` that the user must fill in. */
  confirmation?: { label: string; value: string } | undefined;
  button: string;
  /** True if the action cannot be undone. Default: true. */
  isDangerous?: boolean | undefined;
  cancel: AreaSection;
}

/** Renders a page that asks the user to confirm an action. The form sends `account`, and `submission` and `confirmation` if set. */
export function confirmPage(props: ConfirmPageProps): Page {
  const { frame, subject, confirmation, errors, isDangerous = true } = props;
  return renderAreaPage({
    ...props,
    errorHeading: 'Nothing was changed',
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
            errors={errors}
            spellcheck={false}
          />
        )}
        <div class="form-actions">
          <button class={`button ${isDangerous ? 'danger' : 'primary'}`} type="submit">
            {props.button}
          </button>
          <a class="button secondary" href={props.cancel.href}>
            {props.cancel.label}
          </a>
        </div>
      </form>
    ),
  });
}
