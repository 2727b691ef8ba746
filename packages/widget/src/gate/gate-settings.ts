import { splitList } from '../element/shared.js';
import { restEn } from '../messages/rest-en.js';
import { log } from '../state/login-failure.js';
import type { GateConditions } from './gate-rule.js';

/** Returns a message for the site's owner about the setting that keeps a gate from working. */
export function explainSetting(setting: string): string {
  if (setting === 'client-id')
    return 'no element on the page names a client. Set client-id on <latchkey-login>, or on the gate.';
  if (setting === 'scope')
    return 'No membership is known: the sign-in did not grant memberships.read. Add it to scope.';
  return `${setting} needs an id and a session with a backend.`;
}

/** Warns about unknown product types, such as misspelled ones. */
export function warnAboutProductType(list: GateConditions['productType']): void {
  const known = Object.keys(restEn.kinds);
  for (const type of splitList(list)) {
    if (!known.includes(type))
      log('warn', 'product_type_unknown', `product-type "${type}" is none of ${known.join(', ')}.`);
  }
}
