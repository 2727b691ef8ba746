import type { Site } from '@latchkey/server';

/** Site whose pages all show the sandbox's banner. */
export const SANDBOX_SITE: Site = {
  homePath: '/sandbox',
  banner: {
    label: 'Sandbox notice',
    badge: 'Sandbox',
    text: 'Test people, test data. Nothing here is real.',
  },
};
