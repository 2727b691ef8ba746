import type { Clock, SiteOptions } from '@latchkey/server';
import { SANDBOX_STYLESHEET } from '../styles/sandbox-stylesheet.js';
import { sandboxHeader } from './sandbox-nav.js';

/** Makes all pages show the sandbox's banner, with the service's time. */
export function sandboxSite(clock: Pick<Clock, 'now'>): SiteOptions {
  return {
    homePath: '/sandbox',
    get referenceHeader() {
      const { headerEnd: end, headerNav: nav } = sandboxHeader('reference');
      return { end, nav, stylesheet: SANDBOX_STYLESHEET.path };
    },
    banner: {
      label: 'Sandbox notice',
      badge: 'Sandbox',
      text: 'Test people, test data. Nothing here is real.',
      get time() {
        return clock.now();
      },
    },
  };
}
