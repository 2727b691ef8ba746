import type { ComponentChildren } from 'preact';
import { ButtonLink } from '../parts/form-parts.js';
import { AlertIcon, CheckIcon, CompassIcon } from '../parts/icons.js';
import { renderDocument } from './document.js';
import type { Page } from './send-page.js';

export interface MessagePageProps {
  title: string;
  /** Explanation for the user. */
  text: string;
  /** Literal value to report: a URL, an origin or an error code. */
  detail?: string | undefined;
  /** Advice for the site's owner. */
  hint?: string | undefined;
  /** Link to the next step. `href` is root-relative, or a URL that the caller has validated. */
  action?: MessageAction | undefined;
  /** Another way out. */
  otherAction?: MessageAction | undefined;
  /** True for a harmless failure, such as a mistyped address. Its icon is not red. */
  isHarmless?: boolean | undefined;
  /** True if the visitor already has what they wanted. Its icon is a green check mark. */
  isDone?: boolean | undefined;
  /** Accent of the client that the page belongs to. Default: the accent of the service. */
  accent?: string | null | undefined;
}

interface MessageAction {
  href: string;
  /** A host, or a name that a person wrote, is a `<bdi>`. */
  label: ComponentChildren;
}

/** Renders a page about one failure, or about an action that is not needed, and the next step. */
export function messagePage(props: MessagePageProps): Page {
  return renderDocument({
    title: props.title,
    layout: 'card',
    accent: props.accent,
    children: (
      <main class="card message">
        <StateIcon {...props} />
        <h1>{props.title}</h1>
        <p class="lead">{props.text}</p>
        {props.detail !== undefined && <p class="detail">{props.detail}</p>}
        {props.hint !== undefined && <p class="hint">{props.hint}</p>}
        {(props.action !== undefined || props.otherAction !== undefined) && (
          <div class="message-actions">
            {props.action !== undefined && (
              <ButtonLink kind="primary" href={props.action.href} label={props.action.label} />
            )}
            {props.otherAction !== undefined && (
              <ButtonLink href={props.otherAction.href} label={props.otherAction.label} />
            )}
          </div>
        )}
      </main>
    ),
  });
}

function StateIcon({ isDone = false, isHarmless = false }: MessagePageProps) {
  const [tone, icon] = isDone
    ? [' good', <CheckIcon key="icon" />]
    : isHarmless
      ? [' neutral', <CompassIcon key="icon" />]
      : ['', <AlertIcon key="icon" />];
  return <span class={`state-icon${tone}`}>{icon}</span>;
}
