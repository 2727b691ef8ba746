/**
 * Styles of the design system as text, for shadow trees on the service's pages. The entry has no import of Node, so bundles
 * for browsers may contain it. Shadow trees inherit the tokens from the page. Another page includes {@link TOKENS}.
 *
 * @example
 * ```ts
 * import { BUTTONS_AND_FIELDS, TABLE } from '@latchkey/server/styles';
 * static styles = [unsafeCSS(BUTTONS_AND_FIELDS), unsafeCSS(TABLE)];
 * ```
 */

/** Elements without a class, and the classes `muted`, `fine`, `icon` and `visually-hidden`. */
export { BASE } from './web/ui/styles/base.js';
/** Classes `button`, `field`, `notice`, and inputs without a class. */
export { CONTROLS as BUTTONS_AND_FIELDS } from './web/ui/styles/controls.js';
/** Classes `copy-field`, `copy-text`, `copy-button` and `code-block`. */
export { COPY } from './web/ui/styles/copy.js';
/** Classes `date-inputs`, `money-input`, `segments` and `sub-nav`. */
export { FIELDS } from './web/ui/styles/fields.js';
/** Classes `form`, `choice` and `error-summary`. */
export { FORMS } from './web/ui/styles/forms.js';
/** Classes `panel`, `empty-state`, `icon-button` and `dialog`. */
export { PANELS } from './web/ui/styles/panels.js';
/** Classes `pill` and `pill-good`, `pill-warn`, `pill-bad`, `pill-neutral`. */
export { PILL } from './web/ui/styles/pill.js';
/** Classes `table-box`, `table` and `numeric`. */
export { TABLE } from './web/ui/styles/table.js';
export { TOKENS } from './web/ui/styles/tokens.js';
