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
  /** @default "quiet" */
  cancelKind?: ButtonKind;
  /** True for a form that is a panel of its own. */
  isPanel?: boolean;
  /** Page to return to without saving. */
  cancelHref?: string;
  /** More buttons. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { action, account, submission, submit, kind = 'primary', isPanel = false, cancelHref } = props;
  return (
    <form class={isPanel ? 'panel form' : 'form'} method="post" action={action}>
      <AccountField account={account} />
      {submission !== undefined && <input type="hidden" name="submission" value={submission} />}
      {props.children}
      <div class="form-actions">
        <Button kind={kind}>{submit}</Button>
        {props.actions}
        {cancelHref !== undefined && (
          <ButtonLink kind={props.cancelKind ?? 'quiet'} href={cancelHref}>
            Cancel
          </ButtonLink>
        )}
      </div>
    </form>
  );
}
