/** `data.type` of the message with which the hosted callback hands over the answer. */
export const ANSWER_TYPE = 'latchkey:authorization-response';

/** Whose answer counts. */
export interface ExpectedAnswer {
  /** The callback's: the service's, or this site's own. */
  origin: string;
  /** The window that was opened for this attempt. */
  popup: Window;
}

/**
 * Waits for the popup's answer, whose state is still to be checked. Every other message is passed over in silence:
 * anyone may post to this window.
 *
 * @returns a function that stops listening.
 */
export function listenForAnswer(
  expected: ExpectedAnswer,
  onAnswer: (answer: URLSearchParams) => void,
): () => void {
  const listener = ({ origin, source, data }: MessageEvent) => {
    if (origin !== expected.origin || source !== expected.popup) return;
    if (data?.type !== ANSWER_TYPE || typeof data.state !== 'string') return;
    const answer = new URLSearchParams({ state: data.state });
    for (const name of ['code', 'error']) {
      if (typeof data[name] === 'string') answer.set(name, data[name]);
    }
    onAnswer(answer);
  };
  addEventListener('message', listener);
  return () => removeEventListener('message', listener);
}
