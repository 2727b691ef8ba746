/** Types of the elements' attributes and properties in templates, for the type entries of the frameworks. */

import type { Checkout } from '../checkout/checkout.js';
import type { ProductTypes } from '../gate/gate-rule.js';
import type { MembershipNames } from '../login/account-menu.js';
import type { OwnMessages } from '../messages/en.js';
import type { LoginSession, LoginSessionOptions } from '../session/login-session.js';
import type { WidgetEventMap } from '../state/widget-events.js';

/** The attributes of all elements. */
interface SessionAttributes {
  'client-id'?: string | undefined;
  'service-url'?: string | undefined;
  backend?: string | undefined;
  scope?: string | undefined;
  storage?: LoginSessionOptions['storage'];
  mode?: LoginSessionOptions['mode'];
  'return-url'?: string | undefined;
  'callback-url'?: string | undefined;
  lang?: string | undefined;
}

/** The attributes of `<latchkey-login>`. */
export interface LoginAttributes extends SessionAttributes {
  label?: string | undefined;
  variant?: 'filled' | 'outlined' | 'plain' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  'full-width'?: boolean | '' | undefined;
  compact?: boolean | '' | undefined;
  'account-url'?: string | undefined;
  /** JSON. The property `membershipNames` takes an object. */
  'membership-names'?: string | undefined;
}

/** The attributes of `<latchkey-gate>`. `state` is read-only. */
export interface GateAttributes extends SessionAttributes {
  'product-type'?: ProductTypes | undefined;
  membership?: string | undefined;
  community?: string | undefined;
  product?: string | undefined;
  plan?: string | undefined;
  src?: string | undefined;
}

/** The attributes of the elements that sell plans. */
interface CheckoutAttributes extends SessionAttributes {
  'return-to'?: string | undefined;
}

/** The attributes of `<latchkey-plans>`. `state` is read-only. */
export interface PlansAttributes extends CheckoutAttributes {
  community?: string | undefined;
  plan?: string | undefined;
}

/** The attributes of `<latchkey-join>`. `state` is read-only. */
export interface JoinAttributes extends CheckoutAttributes {
  community?: string | undefined;
  plan?: string | undefined;
}

/** Properties without an attribute. */
export interface ElementProperties {
  session?: LoginSession | undefined;
  messages?: OwnMessages | undefined;
}

/** Properties of `<latchkey-login>`. */
export interface LoginProperties extends ElementProperties {
  membershipNames?: MembershipNames | undefined;
}

/** Properties of the elements that sell plans. */
export interface CheckoutProperties extends ElementProperties {
  checkout?: Checkout | undefined;
}

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Renames attributes to their properties: `client-id` to `clientId`. A property of another type is not among them. */
export type Camelized<Attributes> = {
  [Name in keyof Attributes as Name extends 'membership-names'
    ? never
    : Camel<Name & string>]: Attributes[Name];
};

/** Event handlers, named `on` and the event. Events bubble, so a gate also receives those of elements inside it. */
export type EventHandlers = {
  [Type in keyof WidgetEventMap as `on${Type}`]?: ((event: WidgetEventMap[Type]) => void) | undefined;
};
