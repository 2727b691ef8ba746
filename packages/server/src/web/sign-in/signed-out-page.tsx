import { renderDocument } from '../ui/frame/document.js';
import type { Page } from '../ui/frame/site.js';
import { CheckIcon } from '../ui/parts/icons.js';

/** Renders the page after sign-out. */
export function signedOutPage(): Page {
  return renderDocument({
    title: 'Signed out',
    layout: 'card',
    children: (
      <main class="card message">
        <span class="state-icon good">
          <CheckIcon />
        </span>
        <h1>You are signed out</h1>
        <p class="lead">Sites that you signed in to keep their own sessions until you sign out there.</p>
        <a class="button primary" href="/sign-in">
          Sign in again
        </a>
      </main>
    ),
  });
}
