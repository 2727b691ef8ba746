import type { EndpointName } from '@latchkey/contract/constants';
import type { RecordedRequest } from '../../scripted-service/request.js';
import type { Answer } from '../record/recording.js';

/** Returns the response to a request. `ordinary` resolves to the response that the specification describes. */
export type ScriptedAnswer = (
  request: RecordedRequest,
  ordinary: () => Promise<Answer>,
) => Answer | Promise<Answer>;

/** How the scripted service behaves for some time. */
export interface Script {
  readonly name: string;
  readonly answer: ScriptedAnswer;
}

const API_KEY_ENDPOINTS = [
  'provisionExternal',
  'inviteLink',
  'checkMessenger',
  'buyPlan',
  'dropSignup',
] as const satisfies readonly EndpointName[];

export function isApiKeyEndpoint(endpoint: EndpointName | undefined): boolean {
  return (API_KEY_ENDPOINTS as readonly (EndpointName | undefined)[]).includes(endpoint);
}

/** The service responds as the specification describes. */
export const ordinaryScript: Script = { name: 'ordinary', answer: (_request, ordinary) => ordinary() };

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

export function apiKeyScript(name: string, answer: ScriptedAnswer): Script {
  return endpointScript(name, API_KEY_ENDPOINTS, answer);
}

/** Returns a script that fails once at each path, then responds as usual. */
export function failingOnce(name: string, answer: (request: RecordedRequest) => Answer): Script {
  const failed = new Set<string>();
  return apiKeyScript(name, (request, ordinary) => {
    const key = `${request.method} ${request.path}`;
    if (failed.has(key)) return ordinary();
    failed.add(key);
    return answer(request);
  });
}

/** Returns a response with another JSON body. A response without JSON stays as it is. */
export function withBody(answer: Answer, change: (body: Record<string, unknown>) => unknown): Answer {
  const value = jsonOf(answer);
  if (typeof value !== 'object' || value === null) return answer;
  return { ...answer, body: JSON.stringify(change({ ...value })) };
}

export function jsonOf({ body }: Pick<Answer, 'body'>): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
