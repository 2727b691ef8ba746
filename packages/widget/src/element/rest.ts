/**
 * What the elements need only after the first paint. In the build of `latchkey.js`, `script-element-rest.ts` replaces
 * this module and loads it later.
 */
import { en } from '../messages/en.js';
import { restEn } from '../messages/rest-en.js';
import type { LoginSessionOptions } from '../session/login-session.js';
import { log } from '../state/login-failure.js';
import type { SharedSession } from './session-controller.js';

export { createGateContent, mayPlace, placeContent } from '../gate/gate-content.js';
export { explainSetting, warnAboutProductType } from '../gate/gate-settings.js';
export { accountMenu, placePanel, statusPanel } from '../login/panel.js';

/** Warns in the console if an element's settings differ from the session's, which its first element set. */
export function warnIfDifferent(shared: SharedSession, options: LoginSessionOptions): void {
  const used = JSON.stringify(shared.options);
  // JSON omits undefined values, so an element without an attribute accepts any value.
  const ignored = JSON.stringify(options);
  if (ignored === used || shared.warnedAbout === ignored) return;
  if (JSON.stringify({ ...shared.options, ...JSON.parse(ignored) }) === used) return;
  shared.warnedAbout = ignored;
  const message = `ignored ${ignored}; the session uses ${used}. Give both the same attributes.`;
  log('warn', 'attributes_differ', message);
}

/** Loads this module ahead of its use. Does nothing here, where it is already loaded. */
export function prepareElements(): void {}

Object.assign(en, restEn, { failures: { ...en.failures, ...restEn.failures } });
