import { ControlFailure } from '../../control/client/control-failure.js';
import { type ControlCall, callControl, type SandboxTarget } from '../../control/client/control-http.js';

/** Title of the Control API's own description. Only a sandbox answers with it. */
const SANDBOX_TITLE = 'Control API of the sandbox';
/** Milliseconds until a page of the documentation must have arrived. */
const PAGE_TIMEOUT_MS = 60_000;

/** Description of the Control API, as far as the tools read it. */
export interface ControlDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** One call of the Control API. */
export interface Operation {
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

/** Calls of the tools to one sandbox. Each one throws `ControlFailure`. */
export class SandboxAccess {
  readonly target: SandboxTarget;

  constructor(target: SandboxTarget) {
    this.target = target;
  }

  /**
   * Checks that the address is a sandbox: its Control API accepts the token and names itself.
   *
   * @throws ControlFailure `not_a_sandbox`, `unreachable`, `unauthorized` or `wrong_host`.
   */
  async verify(): Promise<ControlDescription> {
    const answer = await callControl(this.target, {
      method: 'GET',
      path: '/openapi.json',
      expects: 'openapi',
    });
    const { info, paths } = answer as { info?: { title?: unknown } } & Partial<ControlDescription>;
    if (info?.title === SANDBOX_TITLE && typeof paths === 'object') return { paths };
    throw new ControlFailure(
      'not_a_sandbox',
      `${this.target.sandbox} does not say that it is a sandbox. These tools work on a sandbox only.`,
    );
  }

  get<Result = Record<string, unknown>>(path: string, query: ControlCall['query'] = {}): Promise<Result> {
    return this.#call<Result>({ method: 'GET', path, query });
  }

  post<Result = Record<string, unknown>>(path: string, body: unknown = {}): Promise<Result> {
    return this.#call<Result>({ method: 'POST', path, body });
  }

  patch<Result = Record<string, unknown>>(path: string, body: unknown): Promise<Result> {
    return this.#call<Result>({ method: 'PATCH', path, body });
  }

  async delete(path: string): Promise<void> {
    await this.#call({ method: 'DELETE', path });
  }

  /** Reads a public page of the sandbox as text. The token is not sent. */
  async page(path: string): Promise<string> {
    const { sandbox } = this.target;
    const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
    const response = await fetch(`${sandbox}${path}`, { redirect: 'manual', signal });
    const text = await response.text();
    if (response.ok) return text;
    throw new ControlFailure('not_found', `The sandbox has no page ${JSON.stringify(path)}.`);
  }

  async #call<Result>(call: ControlCall): Promise<Result> {
    return (await callControl(this.target, call)) as Result;
  }
}
