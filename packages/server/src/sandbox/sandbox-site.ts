import type { Site } from '../web/ui/site.js';

/** Marks every page as one of a sandbox. */
export const SANDBOX_SITE: Site = {
  homePath: '/sandbox',
  banner: {
    label: 'Sandbox notice',
    badge: 'Sandbox',
    text: 'Test people, test data. Nothing here is real.',
  },
};
