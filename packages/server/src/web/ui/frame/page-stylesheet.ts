import { AREAS } from '../styles/areas.js';
import { BASE } from '../styles/base.js';
import { CHECKOUT } from '../styles/checkout.js';
import { CONTROLS } from '../styles/controls.js';
import { COPY } from '../styles/copy.js';
import { DISCLOSURE } from '../styles/disclosure.js';
import { FIELDS } from '../styles/fields.js';
import { FORMS } from '../styles/forms.js';
import { LAYOUT } from '../styles/layout.js';
import { AREA_LAYOUT } from '../styles/layouts/areas.js';
import { SELLER } from '../styles/layouts/seller.js';
import { LISTS } from '../styles/lists.js';
import { OVERVIEW } from '../styles/overview.js';
import { PANELS } from '../styles/panels.js';
import { PILL } from '../styles/pill.js';
import { PROSE } from '../styles/prose.js';
import { REFERENCE } from '../styles/reference.js';
import { STEPS } from '../styles/steps.js';
import { TABLE } from '../styles/table.js';
import { TASK_LIST } from '../styles/task-list.js';
import { FORCED_SCHEME, TOKENS } from '../styles/tokens.js';
import { type Asset, assetOf } from './asset.js';
import { FONT_FACES } from './fonts.js';

export const PAGE_STYLESHEET: Asset = assetOf(
  'pages.css',
  'text/css; charset=utf-8',
  [
    FONT_FACES,
    TOKENS,
    BASE,
    LAYOUT,
    CONTROLS,
    PANELS,
    OVERVIEW,
    TABLE,
    PILL,
    COPY,
    STEPS,
    PROSE,
    TASK_LIST,
    DISCLOSURE,
    FORMS,
    FIELDS,
    LISTS,
    AREAS,
    AREA_LAYOUT,
    SELLER,
    CHECKOUT,
    REFERENCE,
  ]
    .join('\n')
    .trim(),
);

/** Stylesheet of a page with a scheme of its own. */
export const SCHEME_STYLESHEET: Asset = assetOf(
  'scheme.css',
  'text/css; charset=utf-8',
  FORCED_SCHEME.trim(),
);
