import type { ServiceNamesOption } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import type { Assumption, ReadingName } from '../reading/settings.js';
import type { FakeClient } from '../state/clients.js';
import type { Clock } from '../state/clock.js';
import type { NewToken } from '../state/grants.js';
import type { FakeUser } from '../state/users.js';

export interface FakeServiceOptions {
  /**
   * The reading of the specification that the service follows.
   * @default `LATCHKEY_READING` of the global object or of the environment, then 'first'
   */
  reading?: ReadingName | undefined;
  /**
   * An assumption of the callers that does not hold at this service.
   * @default `LATCHKEY_AGAINST` of the global object or of the environment, then none
   */
  against?: Assumption | undefined;
  /**
   * Names that the specification replaces by stand-ins.
   * @default the stand-ins
   */
  serviceNames?: ServiceNamesOption | undefined;
  /** @default the system's clock */
  clock?: Clock;
  /** @default a public and a confidential client: `PUBLIC_CLIENT` and `CONFIDENTIAL_CLIENT` */
  clients?: readonly FakeClient[];
  /** The user at the browser, who consents at once. Omitted: the user declines. */
  visitor?: FakeUser;
  /**
   * `unchecked`: every client, code and token is valid and belongs to the visitor. For a page whose popup signs in at
   * another instance of the service, and for benchmarks.
   *
   * @default 'checked'
   */
  credentials?: 'checked' | 'unchecked';
  /** @default random tokens in the form of the reading */
  newToken?: NewToken;
  /** Returns the response for a path outside of the API: a page, or a script. */
  fallback?: (request: FakeRequest) => Response | undefined | Promise<Response | undefined>;
  /** Milliseconds before the service processes a request. @default 0, and a few in the second reading */
  latencyMs?: number;
}
