import type { SessionSnapshot } from '@latchkey/widget';
import type {} from '@latchkey/widget/vue';
import type { GlobalComponents } from 'vue';
import { holds, type Same } from './events.js';

/** The types against which Vue's language tools check the attributes and listeners of a tag. */
type LoginProps = InstanceType<GlobalComponents['latchkey-login']>['$props'];
type GateProps = InstanceType<GlobalComponents['latchkey-gate']>['$props'];

export const login: LoginProps = {
  'client-id': 'oac_1',
  serviceUrl: 'https://members.example',
  class: 'sign-in',
  size: 'small',
  compact: true,
  accountUrl: '/account',
  membershipNames: { community: 'The club' },
  messages: { signIn: 'Join us' },
  onLatchkeySignedIn: ({ detail }) => holds<Same<typeof detail, SessionSnapshot>>(),
};
export const gate: GateProps = { 'product-type': 'community', src: '/members' };
export const ours: GateProps = { community: 'c1', product: 'd1', plan: 'p1', productType: 'agency' };
// @ts-expect-error: there is no such product type.
export const misspelled: GateProps = { 'product-type': 'communty' };
// @ts-expect-error: there is no such variant.
export const loud: LoginProps = { variant: 'loud' };

type PlansProps = InstanceType<GlobalComponents['latchkey-plans']>['$props'];
export const plans: PlansProps = {
  backend: '/auth',
  returnTo: '/members',
  onLatchkeyCheckout: ({ detail }) => holds<Same<typeof detail.checkoutUrl, string>>(),
};
type JoinProps = InstanceType<GlobalComponents['latchkey-join']>['$props'];
export const join: JoinProps = { plan: 'p', community: 'c' };
// @ts-expect-error: a plan gives access to a community, not to a product.
export const joinProduct: JoinProps = { plan: 'p', product: 'p' };
