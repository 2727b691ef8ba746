/**
 * What the elements need only after the first paint. In the build of `latchkey.js`, `script-element-rest.ts` replaces
 * this module and loads it later.
 */
import { en } from '../messages/en.js';
import { restEn } from '../messages/rest-en.js';

export { createGateContent, mayPlace, placeContent } from '../gate/gate-content.js';
export { explainSetting, warnAboutProductType } from '../gate/gate-settings.js';
export { accountMenu } from '../login/account-menu.js';
export { placePanel } from '../login/place-panel.js';
export { statusPanel } from '../login/status-panel.js';
export { warnIfDifferent } from './shared-settings.js';

/** Loads this module ahead of its use. Does nothing here, where it is already loaded. */
export function prepareElements(): void {}

Object.assign(en, restEn, { failures: { ...en.failures, ...restEn.failures } });
