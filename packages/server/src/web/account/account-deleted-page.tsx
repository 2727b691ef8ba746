import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { CheckIcon } from '../ui/parts/icons.js';

/** Renders the page after the deletion of the account. The visitor is signed out. */
export function accountDeletedPage(): Page {
  return renderDocument({
    title: 'Account deleted',
    layout: 'card',
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>Your account is deleted</h1>
        <p class="lead">
          You are signed out everywhere, and your memberships have ended. We send a last e-mail to your
          address to confirm it.
        </p>
      </main>
    ),
  });
}
