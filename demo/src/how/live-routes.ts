import type { RunningSandbox, SandboxEvent } from '@latchkey/sandbox';
import { type Request, type Response, Router } from 'express';
import { readNextDrop, shownDrop } from '../next-drop.js';
import type { ShopCalls } from './shop-calls.js';

/** Parts of the demo that a shop's live pages read. */
export interface LiveNeeds {
  readonly service: Pick<RunningSandbox, 'clock' | 'control' | 'operator'>;
  readonly calls: ShopCalls;
  readonly communityId: string;
  /** Host names with port at which the shop answers. */
  readonly hosts: readonly string[];
}

/** Maximum number of open streams. */
const MAX_STREAMS = 64;

/**
 * Serves `GET /how/live`: the shop's calls, the service's time and the drop as server-sent events. It is part of the demo: a
 * real shop has no such route. Other sites can't read it, because it sends no CORS headers and checks the host.
 */
export function liveRoutes(needs: LiveNeeds): Router {
  const open = new Set<Response>();
  const router = Router();
  router.get('/how/live', (request, response) => {
    if (!isOwnRequest(request, needs.hosts)) return void response.status(403).end();
    if (open.size >= MAX_STREAMS) return void response.status(503).end();
    open.add(response);
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.flushHeaders();
    const send = (type: string, data: unknown) => {
      if (!response.writableEnded) response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    // In the order of the events: a drop that was read earlier must not be sent later.
    let sent = forward(needs, undefined, send);
    const unsubscribe = needs.service.control.events.subscribe((event) => {
      sent = sent.then(() => forward(needs, event, send));
    });
    response.once('close', () => {
      unsubscribe();
      open.delete(response);
    });
  });
  return router;
}

function isOwnRequest(request: Request, hosts: readonly string[]): boolean {
  const site = request.get('Sec-Fetch-Site');
  return hosts.includes(request.get('Host') ?? '') && (site === undefined || site === 'same-origin');
}

type Send = (type: string, data: unknown) => void;

async function sendState(needs: LiveNeeds, send: Send): Promise<void> {
  send('calls', await needs.calls.list());
  await sendTime(needs, send);
}

/** Sends the service's time with the drop, because each decides how the other is shown. */
async function sendTime({ service, communityId }: LiveNeeds, send: Send): Promise<void> {
  const drop = await readNextDrop(service, communityId);
  send('time', { now: service.clock.now(), drop: shownDrop(drop) });
}

/** Sends what an event means for the page. Without an event it sends the present state. */
async function forward(needs: LiveNeeds, event: SandboxEvent | undefined, send: Send): Promise<void> {
  try {
    if (event === undefined || event.type === 'reset') return await sendState(needs, send);
    if (event.type === 'clock' || event.type === 'data') return await sendTime(needs, send);
    const call = await needs.calls.read(event);
    if (call === undefined) return;
    send('call', call);
    if (call.path === '/api/drop-notification/signup') await sendTime(needs, send);
  } catch {
    // The sandbox is closing. The page connects again when it is back.
  }
}
