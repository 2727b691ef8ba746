import type { Request, Response } from 'express';
import type { ComponentChildren } from 'preact';
import type { Failure } from '../../../platform/http/http-failure.js';
import { currentLanguage, t } from '../../../platform/language/language.js';
import { ButtonLink } from '../parts/form-parts.js';
import { AlertIcon, CheckIcon, CompassIcon } from '../parts/icons.js';
import { renderDocument } from './document.js';
import { type Page, sendPage, siteOf } from './send-page.js';

export interface MessagePageProps {
  title: string;
  /** Content of the `<h1>`. Default: the title. */
  heading?: string;
  text: string;
  /** Literal value to report: a URL, an origin or an error code. */
  detail?: string | undefined;
  /** Advice for the site's owner. */
  hint?: string | undefined;
  /** Link to the next step. `href` is root-relative, or a URL that the caller has validated. */
  action?: MessageAction | undefined;
  otherAction?: MessageAction | undefined;
  /** True for a harmless failure, such as a mistyped address. Its icon isn't red. */
  isHarmless?: boolean | undefined;
  /** True if the visitor already has what they wanted. Its icon is a green check mark. */
  isDone?: boolean | undefined;
  /** Accent of the client that the page belongs to. Default: the accent of the service. */
  accent?: string | null | undefined;
}

interface MessageAction {
  href: string;
  /** A host or a name that a person wrote is a `<bdi>`. */
  label: ComponentChildren;
}

/** Renders a page about a failure, or about an action that isn't needed, with the next step. */
export function messagePage(props: MessagePageProps): Page {
  return renderDocument({
    title: props.title,
    layout: 'card',
    accent: props.accent,
    children: (
      <main class="card message">
        <StateIcon {...props} />
        <h1>{props.heading ?? props.title}</h1>
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

export function sendMessage(response: Response, status: number, props: MessagePageProps): void {
  sendPage(response, messagePage(props), { status });
}

function StateIcon({ isDone = false, isHarmless = false }: MessagePageProps) {
  const [tone, icon] = isDone
    ? [' good', <CheckIcon key="icon" />]
    : isHarmless
      ? [' neutral', <CompassIcon key="icon" />]
      : ['', <AlertIcon key="icon" />];
  return <span class={`state-icon${tone}`}>{icon}</span>;
}

export function sendFailurePage(response: Response, { status, message, link }: Failure): void {
  const home = { href: siteOf(response).homePath, label: t('Go to the home page') };
  const html = messagePage({
    ...wordingOf(status, message),
    action: link ?? home,
    otherAction: status === 421 ? undefined : backLink(response.req),
    isHarmless: status === 404,
  });
  // The foreign host doesn't serve files either.
  const filesOrigin = status === 421 && link ? new URL(link.href).origin : undefined;
  sendPage(response, html, { status, filesOrigin });
}

/** Returns a link to the page of this service that led here. Pages send their address within the service only. */
function backLink(request: Request): MessagePageProps['otherAction'] {
  const referrer = request.get('Referer') ?? '';
  if (!URL.canParse(referrer)) return undefined;
  const { host, pathname, search } = new URL(referrer);
  const isOwn = host === request.host && !pathname.startsWith('//');
  const path = pathname + search;
  return isOwn && path !== request.originalUrl ? { href: path, label: t('Go back') } : undefined;
}

function wordingOf(status: number, message: string) {
  if (status === 404)
    return { title: t('Page not found'), text: t('The address may be mistyped or out of date.') };
  if (status >= 500)
    return { title: t('Something went wrong on our side'), text: t('Please try again in a moment.') };
  if (status === 421) return { title: 'Wrong address', text: message };
  // The message is for developers, in English.
  const isEnglish = currentLanguage().language === 'en';
  const text = isEnglish
    ? message
    : t('Go back and try again. If it happens again, tell the owner of the site.');
  return { title: t('Request failed'), text };
}
