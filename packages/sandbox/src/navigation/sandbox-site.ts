import type { Clock, SiteOptions } from '@latchkey/server';

/** Site whose pages all show the sandbox's banner, with the service's time. */
export function sandboxSite(clock: Pick<Clock, 'now'>): SiteOptions {
  return {
    homePath: '/sandbox',
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
