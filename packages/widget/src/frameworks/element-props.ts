/** Types of the elements' attributes and properties in templates, for the type entries of the frameworks. */

import type { Checkout } from '../checkout/checkout.js';
import type { LatchkeyJoin } from '../checkout/join-element.js';
import type { LatchkeyPlans } from '../checkout/plans-element.js';
import type { LatchkeyGate } from '../gate/gate-element.js';
import type { ProductTypes } from '../gate/gate-rule.js';
import type { LatchkeyLogin } from '../login/login-element.js';
import type { MembershipNames } from '../login/panel.js';
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
interface LoginAttributes extends SessionAttributes {
  label?: string | undefined;
  variant?: 'filled' | 'outlined' | 'plain' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  'full-width'?: boolean | '' | undefined;
  compact?: boolean | '' | undefined;
  'account-url'?: string | undefined;
  /** JSON. The property `membershipNames` takes an object. */
  'membership-names'?: string | undefined;
}

/** The attributes of `<latchkey-gate>`. */
interface GateAttributes extends SessionAttributes {
  'product-type'?: ProductTypes | undefined;
  membership?: string | undefined;
  community?: string | undefined;
  product?: string | undefined;
  plan?: string | undefined;
  src?: string | undefined;
}

/** The attributes of `<latchkey-plans>` and `<latchkey-join>`. */
interface CheckoutAttributes extends SessionAttributes {
  'return-to'?: string | undefined;
  community?: string | undefined;
  plan?: string | undefined;
}

/** Properties without an attribute. */
interface ElementProperties {
  session?: LoginSession | undefined;
  messages?: OwnMessages | undefined;
}

interface LoginProperties extends ElementProperties {
  membershipNames?: MembershipNames | undefined;
}

interface CheckoutProperties extends ElementProperties {
  checkout?: Checkout | undefined;
}

/** The class of each element, its attributes, and its properties without an attribute. */
export interface Elements {
  'latchkey-login': [LatchkeyLogin, LoginAttributes, LoginProperties];
  'latchkey-gate': [LatchkeyGate, GateAttributes, ElementProperties];
  'latchkey-plans': [LatchkeyPlans, CheckoutAttributes, CheckoutProperties];
  'latchkey-join': [LatchkeyJoin, CheckoutAttributes, CheckoutProperties];
}

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Attributes as properties, such as `clientId` for `client-id`. Omits `membershipNames`: its type is different. */
export type Camelized<Attributes> = {
  [Name in keyof Attributes as Name extends 'membership-names'
    ? never
    : Camel<Name & string>]: Attributes[Name];
};

/** Event handlers, such as `onlatchkey-error`. Events bubble, so a gate also gets the events of elements inside it. */
type EventHandlers = {
  [Type in keyof WidgetEventMap as `on${Type}`]?: ((event: WidgetEventMap[Type]) => void) | undefined;
};

/** What a template may set on an element, in addition to what `Base` has for any element. */
export type Props<Tag extends keyof Elements, Base> = Omit<Base, keyof Elements[Tag][1]> &
  Elements[Tag][1] &
  Camelized<Elements[Tag][1]> &
  Elements[Tag][2] &
  EventHandlers;
