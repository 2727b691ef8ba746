import { type Asset, assetOf } from '@latchkey/server/ui';
import { DOCS } from './docs.js';
import { HOME } from './home.js';
import { TOOLS } from './tools.js';

/** Stylesheet of the sandbox's own pages. It contains layout only: the parts of the pages have the service's styles. */
export const SANDBOX_STYLESHEET: Asset = assetOf(
  'sandbox.css',
  'text/css; charset=utf-8',
  [TOOLS, HOME, DOCS].join('\n'),
);
