import type { ComponentChildren } from 'preact';
import { AccountField } from '../../ui/parts/account-field.js';
import { Button, ButtonLink } from '../../ui/parts/button.js';

/** Form on a page of its own that creates something. The service processes each submission once. */
export function CreationForm(props: {
  action: string;
  account: string;
  submission: string;
  /** Label of the button. */
  submit: string;
  /** Address of the list, which the user returns to without saving. */
  cancelHref: string;
  children: ComponentChildren;
}) {
  return (
    <form class="form" method="post" action={props.action}>
      <AccountField account={props.account} />
      <input type="hidden" name="submission" value={props.submission} />
      {props.children}
      <div class="form-actions">
        <Button kind="primary">{props.submit}</Button>
        <ButtonLink kind="quiet" href={props.cancelHref}>
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}
