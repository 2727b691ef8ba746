import type { LoginFailure } from '@latchkey/widget';
import type {} from '@latchkey/widget/svelte';
import type { SvelteHTMLElements } from 'svelte/elements';
import { holds, type Same } from './events.js';

/** The type against which Svelte's language tools check a tag in a template. */
export const login: SvelteHTMLElements['latchkey-login'] = {
  'client-id': 'oac_1',
  class: 'sign-in',
  size: 'small',
  'full-width': true,
  messages: { signIn: 'Join us' },
  'onlatchkey-error': ({ detail }) => holds<Same<typeof detail, LoginFailure>>(),
};
export const gate: SvelteHTMLElements['latchkey-gate'] = { 'product-type': 'community', src: '/members' };
// @ts-expect-error: there is no such variant.
export const loud: SvelteHTMLElements['latchkey-login'] = { variant: 'loud' };
export const plans: SvelteHTMLElements['latchkey-plans'] = { backend: '/auth', 'return-to': '/members' };
export const join: SvelteHTMLElements['latchkey-join'] = { plan: 'p', community: 'c' };
// @ts-expect-error: a plan gives access to a community, not to a product.
export const joinProduct: SvelteHTMLElements['latchkey-join'] = { plan: 'p', product: 'p' };
