import type { ComponentChildren } from 'preact';
import { AccountField } from './account-field.js';
import { Button, type ButtonKind, ButtonLink } from './button.js';

/** Form of a signed-in user: its fields, the button that sends it and, with `cancelHref`, the way back. */
export function PostForm(props: {
  action: string;
  account: string;
  /** Id of a form that must be processed only once. */
  submission?: string | undefined;
  /** Label of the button. */
  submit: string;
  /** @default "primary" */
  kind?: ButtonKind;
  /** Page to return to without saving. */
  cancelHref?: string;
  children: ComponentChildren;
}) {
  const { action, account, submission, submit, kind = 'primary', cancelHref, children } = props;
  return (
    <form class="form" method="post" action={action}>
      <AccountField account={account} />
      {submission !== undefined && <input type="hidden" name="submission" value={submission} />}
      {children}
      <div class="form-actions">
        <Button kind={kind}>{submit}</Button>
        {cancelHref !== undefined && (
          <ButtonLink kind="quiet" href={cancelHref}>
            Cancel
          </ButtonLink>
        )}
      </div>
    </form>
  );
}
