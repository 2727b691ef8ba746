import { createHash } from 'node:crypto';
import { AREAS } from '../styles/areas.js';
import { CHECKOUT } from '../styles/checkout.js';
import { CONSOLE } from '../styles/console.js';
import { CONTROLS } from '../styles/controls.js';
import { COPY } from '../styles/copy.js';
import { DOCS } from '../styles/docs.js';
import { FIELDS } from '../styles/fields.js';
import { FORMS } from '../styles/forms.js';
import { GUIDE } from '../styles/guide.js';
import { LAYOUT } from '../styles/layout.js';
import { LISTS } from '../styles/lists.js';
import { PALETTE } from '../styles/palette.js';
import { PANELS } from '../styles/panels.js';
import { PILL } from '../styles/pill.js';
import { REFERENCE } from '../styles/reference.js';
import { SELLER } from '../styles/seller.js';
import { TABLE } from '../styles/table.js';
import { WEBHOOKS } from '../styles/webhooks.js';

/** Stylesheet of all pages. */
export const PAGE_STYLESHEET: string = [
  PALETTE,
  LAYOUT,
  CONTROLS,
  PANELS,
  TABLE,
  PILL,
  COPY,
  FORMS,
  FIELDS,
  LISTS,
  AREAS,
  SELLER,
  CHECKOUT,
  WEBHOOKS,
  REFERENCE,
  DOCS,
  GUIDE,
  CONSOLE,
].join('\n');

/** Path of the stylesheet. It contains a hash of the content, so that browsers can cache it forever. */
export const PAGE_STYLESHEET_PATH: string = `/assets/pages.${createHash('sha256').update(PAGE_STYLESHEET).digest('hex').slice(0, 8)}.css`;
