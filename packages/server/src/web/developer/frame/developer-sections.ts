import type { AreaSection } from '../../ui/frame/area-page.js';

/** Pages of the developer area. */
export const DEVELOPER_SECTIONS: readonly AreaSection[] = [
  { href: '/developer', label: 'Overview' },
  { href: '/developer/api-keys', label: 'API keys' },
  { href: '/developer/clients', label: 'Apps' },
  { href: '/developer/webhooks', label: 'Webhooks' },
];
