import type { LoginSession } from '../session/login-session.js';

/** An element that shows the states of a session. */
export type SessionView = NonNullable<LoginSession['shownBy']>;

/** True if the element shows the panel of the session. Without a visible element that does, this one becomes it. */
export function showsPanel(view: SessionView, session: LoginSession): boolean {
  const { shownBy } = session;
  if (view !== shownBy && shownBy?.isConnected && shownBy.checkVisibility()) return false;
  takePanel(view, session);
  return true;
}

/** Makes the element the only one that shows the panel of the session. */
export function takePanel(view: SessionView, session: LoginSession | undefined): void {
  const before = session?.shownBy;
  if (!session || before === view) return;
  session.shownBy = view;
  before?.requestUpdate();
  view.requestUpdate();
}
