import { STATE_MAX_LENGTH } from '../shapes/limits.js';

// Both exist in browsers and in Node.js. The contract is compiled without the types of either.
declare const atob: (text: string) => string;
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/** Content of the `state` that the widget's popup flow starts with. Anyone can write a state, so no field is trusted. */
export interface WidgetStateContent {
  /** `n`: random text that only the requesting page knows. */
  nonce: unknown;
  /** `o`: origin of the requesting page, as `location.origin` writes it. */
  origin: unknown;
}

/**
 * Reads a `state` of the popup flow: base64url, without padding, of the UTF-8 JSON `{"n": nonce, "o": origin}`. The
 * service and the callback page share this reader, so both find the same origin in a state.
 *
 * @returns the fields, unchecked; `undefined` if the string isn't base64url of a JSON object.
 */
export function readWidgetState(state: string): WidgetStateContent | undefined {
  if (state.length > STATE_MAX_LENGTH || !/^[\w-]+$/.test(state)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(state.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { n: nonce, o: origin } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { nonce, origin };
  } catch {
    return undefined;
  }
}
