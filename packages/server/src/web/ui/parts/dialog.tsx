import type { ComponentChildren } from 'preact';
import { type ButtonKind, buttonClass } from './button.js';
import { CloseIcon } from './icons.js';

/** Button with a dialog that it opens. It works without a script: Escape or a click outside closes the dialog. */
export function Dialog(props: {
  /** Id of the dialog, unique on the page. */
  id: string;
  /** Label of the button that opens it. */
  button: ComponentChildren;
  /** @default "secondary" */
  buttonKind?: ButtonKind;
  title: string;
  children: ComponentChildren;
}) {
  const { id, button, buttonKind, title, children } = props;
  return (
    <>
      <button type="button" class={buttonClass(buttonKind, true)} popovertarget={id} aria-haspopup="dialog">
        {button}
      </button>
      <div
        // biome-ignore lint/a11y/noAutofocus: the focus moves here when the dialog opens, not when the page loads.
        autoFocus
        class="dialog"
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        tabIndex={-1}
      >
        <div class="dialog-heading">
          <h2 id={`${id}-title`}>{title}</h2>
          <button type="button" class="icon-button" popovertarget={id} popovertargetaction="hide">
            <CloseIcon />
            <span class="visually-hidden">Close</span>
          </button>
        </div>
        {children}
      </div>
    </>
  );
}
