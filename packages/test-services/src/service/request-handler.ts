import type { EndpointContext } from '../endpoints/endpoint-context.js';
import { respondRejection } from '../endpoints/respond.js';
import { respondAtEndpoint } from '../endpoints/route.js';
import type { FakeRequest, RecordedRequest } from '../messages/fake-request.js';
import type { FakeServiceOptions } from './fake-service-options.js';
import { type Outcome, outcomeOf, pause } from './outcome.js';
import type { Scripts } from './script.js';

export interface RequestHandlerParts {
  context: EndpointContext;
  options: Pick<FakeServiceOptions, 'fallback' | 'latencyMs'>;
  scripts: Scripts;
}

/** Returns the function that answers the requests of a service. */
export function createRequestHandler({ context, options, scripts }: RequestHandlerParts) {
  const { clock, reading } = context;
  const { latencyMs = reading.latencyMs, fallback } = options;

  async function regularResponse(request: FakeRequest): Promise<Response> {
    const response = (await respondAtEndpoint(request, context)) ?? (await fallback?.(request));
    const message = `Cannot ${request.method} ${request.path}`;
    return response ?? respondRejection(context, request, { status: 404, message });
  }

  async function outcomeFor(request: RecordedRequest): Promise<Outcome> {
    if (request.method === 'OPTIONS') {
      return { kind: 'response', response: new Response(null, { status: reading.preflightStatus }) };
    }
    const reply = await scripts.replyTo(request);
    return outcomeOf(
      reply,
      () => regularResponse(request),
      () => scripts.released(request),
    );
  }

  return async (request: RecordedRequest): Promise<Outcome> => {
    if (latencyMs > 0) await pause(latencyMs);
    const outcome = await outcomeFor(request);
    if ('response' in outcome) {
      for (const [name, value] of Object.entries(reading.cors(request)))
        outcome.response.headers.set(name, value);
    }
    if (outcome.kind !== 'hang') request.answeredAt = clock.now();
    return outcome;
  };
}
