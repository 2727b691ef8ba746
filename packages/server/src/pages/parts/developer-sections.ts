import type { AreaSection } from './area-page.js';

/** The pages of the developer area. */
export const DEVELOPER_SECTIONS: readonly AreaSection[] = [
  { href: '/developer', label: 'Overview' },
  { href: '/developer/api-keys', label: 'API keys' },
  { href: '/developer/clients', label: 'Apps' },
  { href: '/developer/webhooks', label: 'Webhooks' },
];
