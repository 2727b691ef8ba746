import type { Needs } from '../../app/services.js';
import { clientCalls, webhookCalls } from './developer-calls.js';
import { catalogueCalls, communityCalls, membershipCalls } from './seller-calls.js';
import { apiKeyCalls, userCalls } from './user-calls.js';

/** Calls with a name of their own, for scripts and tests. */
export interface NamedCalls
  extends ReturnType<typeof userCalls>,
    ReturnType<typeof communityCalls>,
    ReturnType<typeof catalogueCalls>,
    ReturnType<typeof membershipCalls>,
    ReturnType<typeof clientCalls>,
    ReturnType<typeof apiKeyCalls>,
    ReturnType<typeof webhookCalls> {}

export type OperatorServices = Needs<
  'baseUrl' | 'clock' | 'db' | 'logger' | 'serviceNames' | 'webhookPolicy'
>;

export function namedCalls(needs: OperatorServices): NamedCalls {
  return {
    ...userCalls(needs),
    ...communityCalls(needs),
    ...catalogueCalls(needs),
    ...membershipCalls(needs),
    ...clientCalls(needs),
    ...apiKeyCalls(needs),
    ...webhookCalls(needs),
  };
}
