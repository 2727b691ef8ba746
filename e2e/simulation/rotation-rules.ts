import { InvariantError } from './schedule.ts';

interface SentToken {
  isAnswered: boolean;
  /** Number of faults when its rotation was answered. */
  faults: number;
}

/** Creates the rules about refresh tokens: each is rotated once, and by one request at a time. */
export function createRotationRules(faultsSoFar: () => number) {
  const tokens = new Map<string, SentToken>();
  const inFlight = new Map<object, string>();
  return {
    /** @param request identifies the request. */
    onSend(request: object, token: string): void {
      if ([...inFlight.values()].includes(token) && faultsSoFar() === 0) {
        throw new InvariantError('one refresh is in flight', `${token} was sent while it was in flight.`);
      }
      const sent = tokens.get(token);
      if (sent?.isAnswered && sent.faults === faultsSoFar()) {
        throw new InvariantError('a spent refresh token is never sent again', `${token} was sent again.`);
      }
      tokens.set(token, sent ?? { isAnswered: false, faults: 0 });
      inFlight.set(request, token);
    },
    /** `isAnswered` if the process received whether the service rotated the token. */
    onSettled(request: object, isAnswered: boolean): void {
      const token = inFlight.get(request);
      if (token === undefined) return;
      inFlight.delete(request);
      if (isAnswered) tokens.set(token, { isAnswered, faults: faultsSoFar() });
    },
  };
}
