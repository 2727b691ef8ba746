import type { RouteContext } from '@latchkey/server';
import { Router } from 'express';
import { CONTROL_PATH } from './access/control-path.js';
import type { ControlRoute } from './access/control-route.js';
import { controlGuard } from './access/guard.js';
import { mountRoutes } from './access/mount-routes.js';
import type { ConnectedControl } from './control.js';
import { dataRoutes } from './data/data-routes.js';
import { deliveryRoutes } from './deliveries/delivery-routes.js';
import { faultRoutes } from './faults/fault-routes.js';
import { listenerRoutes } from './listeners/listener-routes.js';
import { openApiOf } from './open-api.js';
import { receiverControlRoutes } from './receiver/receiver-control.js';
import { requestRoutes } from './requests/request-routes.js';
import { snapshotRoutes } from './snapshots/snapshot-routes.js';
import { snippetRoutes } from './snippets/snippet-routes.js';
import type { EventStream } from './stream/event-stream.js';
import { timelineRoutes } from './timeline/timeline-routes.js';

/** Tools that the control API offers, and the check of its token. */
export interface ControlAccess {
  readonly connected: ConnectedControl;
  readonly stream: EventStream;
  isToken(presented: string): boolean;
  /** The token, for the front page. Absent if other machines can open that page. */
  readonly shownToken: string | undefined;
}

/** Returns all endpoints of the control API. */
function allControlRoutes(connected: ConnectedControl, stream: EventStream): readonly ControlRoute[] {
  return [
    ...requestRoutes(connected.control.requests, () => connected.context().baseUrl),
    ...timelineRoutes(connected.control.clock),
    ...faultRoutes(connected.control.faults),
    ...deliveryRoutes(connected.control.deliveries),
    ...receiverControlRoutes(connected.receiver, () => connected.context().baseUrl),
    ...listenerRoutes(connected.control.listeners),
    ...dataRoutes(connected.control.data),
    ...snapshotRoutes(connected.control.snapshots, connected.control.scenarios),
    ...snippetRoutes(connected.context),
    ...stream.routes,
  ];
}

export function controlRoutes(context: RouteContext, { connected, stream, isToken }: ControlAccess): Router {
  const routes = [...allControlRoutes(connected, stream)];
  routes.push(openApiRoute(routes));
  const guard = controlGuard({ baseUrl: context.baseUrl, isToken });
  const router = Router({ caseSensitive: true, strict: true });
  router.use(CONTROL_PATH, mountRoutes(routes, { guard, logger: context.logger }));
  return router;
}

function openApiRoute(routes: readonly ControlRoute[]): ControlRoute {
  return {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Describes these endpoints as OpenAPI 3.1.',
    handle: () => openApiOf(routes, CONTROL_PATH),
  };
}
