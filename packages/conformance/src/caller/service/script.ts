import type { EndpointName } from '@latchkey/contract/constants';
import type { Answer, ServiceRequest } from '../record/service-exchange.js';
import { jsonOf } from './answers.js';
import { isApiKeyEndpoint } from './api-key-answers.js';

/** Returns the answer to a request. `ordinary` returns the answer that the specification describes. */
export type ScriptedAnswer = (request: ServiceRequest, ordinary: () => Answer) => Answer;

/** Behaviour of the scripted service for some time. */
export interface Script {
  /** Label of the runs under the script. */
  readonly name: string;
  readonly answer: ScriptedAnswer;
}

/** The service answers as the specification describes. */
export const ordinaryScript: Script = { name: 'ordinary', answer: (_request, ordinary) => ordinary() };

/** Returns a script that answers the endpoints with an API key. */
export function apiKeyScript(name: string, answer: ScriptedAnswer): Script {
  return {
    name,
    answer: (request, ordinary) =>
      isApiKeyEndpoint(request.endpoint) ? answer(request, ordinary) : ordinary(),
  };
}

/** Returns a script that answers some endpoints. */
export function endpointScript(
  name: string,
  endpoints: readonly EndpointName[],
  answer: ScriptedAnswer,
): Script {
  return {
    name,
    answer: (request, ordinary) =>
      request.endpoint !== undefined && endpoints.includes(request.endpoint)
        ? answer(request, ordinary)
        : ordinary(),
  };
}

/** Returns a script that fails once at each path, then answers as usual. */
export function failingOnce(name: string, answer: (request: ServiceRequest) => Answer): Script {
  const failed = new Set<string>();
  return apiKeyScript(name, (request, ordinary) => {
    const key = `${request.method} ${request.path}`;
    if (failed.has(key)) return ordinary();
    failed.add(key);
    return answer(request);
  });
}

/** Returns an answer with another JSON body. An answer without JSON stays as it is. */
export function withBody(answer: Answer, change: (body: Record<string, unknown>) => unknown): Answer {
  const value = jsonOf(answer);
  if (typeof value !== 'object' || value === null) return answer;
  return { ...answer, body: JSON.stringify(change({ ...value })) };
}
