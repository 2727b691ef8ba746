import { html, type TemplateResult } from 'lit';
import type { LoginSession } from '../session/login-session.js';

/** Splits a list that is separated by white space or commas. Frameworks can set an array instead of a text. */
export function splitList(list: string | null | undefined): string[] {
  return `${list ?? ''}`.split(/[\s,]+/).filter(Boolean);
}

type SessionView = NonNullable<LoginSession['shownBy']>;

/**
 * True if the element shows the panel of the session. It becomes the one that does if no element on the page is, or if that
 * one is hidden and this one is not. Two hidden elements would take it from each other without end.
 */
export function showsPanel(view: SessionView, session: LoginSession): boolean {
  const { shownBy } = session;
  if (view !== shownBy && shownBy?.isConnected && (isVisible(shownBy) || !isVisible(view))) return false;
  takePanel(view, session);
  return true;
}

function isVisible(view: SessionView): boolean {
  return view.checkVisibility?.({ visibilityProperty: true });
}

/**
 * Makes the element the only one that shows the panel of the session. One that has left the page takes nothing: two of them would take it
 * from each other without end.
 */
export function takePanel(view: SessionView, session: LoginSession | undefined): void {
  const before = session?.shownBy;
  if (!session || before === view || !view.isConnected) return;
  session.shownBy = view;
  before?.requestUpdate();
  view.requestUpdate();
}

/** Returns the parent of an element, also outside of the shadow tree that contains it. */
export function parentOf(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;
}

/** Returns a template of this markup. Lit uses its own policy for Trusted Types, so that a site lists one name only. */
export function staticTemplate(markup: string): TemplateResult {
  return html(Object.assign([markup], { raw: [markup] }));
}
