import { Router } from 'express';
import type { WebhookReceiver } from '../receiver/webhook-receiver.js';
import type { Services } from '../services/services.js';
import type { ControlRoute } from './access/control-route.js';
import { controlGuard } from './access/guard.js';
import { mountRoutes } from './access/mount-routes.js';
import type { SandboxControl } from './control.js';
import { dataRoutes } from './data/data.js';
import { deliveryRoutes } from './deliveries/deliveries.js';
import { listenerRoutes } from './deliveries/listeners.js';
import { faultRoutes } from './faults/fault-list.js';
import { openApiOf } from './open-api.js';
import { receiverControlRoutes } from './receiver/receiver-control.js';
import { requestRoutes } from './requests/request-routes.js';
import { snapshotRoutes } from './snapshots/snapshots.js';
import { snippetRoutes } from './snippets/snippet-routes.js';
import type { EventStream } from './stream/event-stream.js';
import { timelineRoutes } from './timeline/timeline.js';

/** Path of the control API. `requests/record-request.ts` excludes its calls from the log. */
const CONTROL_PATH = '/sandbox/api';

/** Tools that the control API offers, and the check of its token. */
export interface ControlAccess {
  readonly control: SandboxControl;
  readonly receiver: WebhookReceiver;
  readonly stream: EventStream;
  isToken(presented: string): boolean;
  /** The token, for the front page. Absent if other machines can open that page. */
  readonly shownToken: string | undefined;
}

/** All endpoints of the control API. */
export function controlRoutes(
  services: Services,
  { control, receiver, stream, isToken }: ControlAccess,
): Router {
  const routes: ControlRoute[] = [
    ...requestRoutes(services, control.requests),
    ...timelineRoutes(control.clock),
    ...faultRoutes(control.faults),
    ...deliveryRoutes(control.deliveries),
    ...receiverControlRoutes(services, receiver),
    ...listenerRoutes(control.listeners),
    ...dataRoutes(control.data),
    ...snapshotRoutes(control.snapshots, control.scenarios),
    ...snippetRoutes(services),
    stream.route,
    {
      method: 'GET',
      path: '/openapi.json',
      summary: 'Describes these endpoints as OpenAPI 3.1.',
      handle: () => openApiOf(routes, CONTROL_PATH),
    },
  ];
  const router = Router({ caseSensitive: true, strict: true });
  const guard = controlGuard({ baseUrl: services.baseUrl, isToken });
  return router.use(CONTROL_PATH, mountRoutes(routes, { guard, logger: services.logger }));
}
