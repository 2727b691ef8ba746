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

export {
  /** Classes `button`, `field`, `notice`, and inputs without a class. */
  CONTROLS as BUTTONS_AND_FIELDS,
  /** Classes `date-inputs`, `money-input`, `segments` and `sub-nav`. */
  FIELDS,
  /** Classes `form`, `choice` and `error-summary`. */
  FORMS,
} from './web/kit/styles/forms.js';
/** Elements without a class, and the classes `muted`, `fine`, `icon` and `visually-hidden`. */
export { BASE } from './web/kit/styles/layout.js';
export {
  /** Classes `copy-field`, `copy-text`, `copy-button` and `code-block`. */
  COPY,
  /** Classes `panel`, `empty-state`, `icon-button` and `dialog`. */
  PANELS,
  /** Classes `pill` and `pill-good`, `pill-warn`, `pill-bad`, `pill-neutral`. */
  PILL,
  /** Classes `table-box`, `table` and `numeric`. */
  TABLE,
} from './web/kit/styles/parts.js';
export { TOKENS } from './web/kit/styles/tokens.js';
