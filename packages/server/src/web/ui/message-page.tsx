import { renderDocument } from './document.js';
import { AlertIcon } from './icons.js';
import type { Page } from './site.js';

/** Props of {@link messagePage}. */
export interface MessagePageProps {
  /** The heading, and the name of the page. */
  title: string;
  /** What happened, in the words of the person who reads it. */
  text: string;
  /** The fact to hand on, shown as it is: an address, an origin, an error code. */
  detail?: string | undefined;
  /** What the site's owner would change. */
  hint?: string | undefined;
  /** The next step. `href` is root-relative, or an address the caller has checked. */
  action?: { href: string; label: string } | undefined;
}

/** One thing that went wrong or was refused, and what to do about it. */
export function messagePage(props: MessagePageProps): Page {
  return renderDocument({
    title: props.title,
    layout: 'card',
    children: (
      <main class="card message">
        <span class="state-icon">
          <AlertIcon />
        </span>
        <h1>{props.title}</h1>
        <p class="lead">{props.text}</p>
        {props.detail !== undefined && <p class="detail">{props.detail}</p>}
        {props.hint !== undefined && <p class="hint">{props.hint}</p>}
        {props.action !== undefined && (
          <a class="button primary" href={props.action.href}>
            {props.action.label}
          </a>
        )}
      </main>
    ),
  });
}
