import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';

/** Props of {@link optOutPage}. */
export interface OptOutPageProps {
  /** Root-relative address of the page, with its key. */
  action: string;
  /** True if the address of the link receives no invitations. */
  isOptedOut: boolean;
}

/**
 * Asks before it ends invitations by mail, or confirms that they have ended: `POST` to `action` with `choice`. The page does
 * not show the address, because mails are forwarded. Programs that open every link of a mail change nothing.
 */
export function optOutPage({ action, isOptedOut }: OptOutPageProps): Page {
  const wording = isOptedOut ? OPTED_OUT : OPTED_IN;
  return renderDocument({
    title: wording.title,
    layout: 'card',
    children: (
      <main class="card">
        <div class="heading">
          <h1>{wording.title}</h1>
          <p class="lead">{wording.text}</p>
        </div>
        <form class="stack" method="post" action={action}>
          <input type="hidden" name="choice" value={wording.choice} />
          <button class={`button ${isOptedOut ? 'secondary' : 'primary'}`} type="submit">
            {wording.button}
          </button>
        </form>
      </main>
    ),
  });
}

const OPTED_IN = {
  title: 'Stop invitations by e-mail?',
  text: 'No community can invite you by e-mail at this address any more. Sign-in codes and receipts still arrive.',
  choice: 'stop',
  button: 'Stop invitations',
};

const OPTED_OUT = {
  title: 'You receive no more invitations',
  text: 'No community can invite you by e-mail at this address. Sign-in codes and receipts still arrive.',
  choice: 'allow',
  button: 'Allow invitations again',
};
