/** Fields of requests and responses whose values are secrets. */
const SECRET_FIELDS = [
  'access_token',
  'refresh_token',
  'code',
  'code_verifier',
  'client_secret',
  'token',
  'secret',
];

/** Replaces secrets by their names in everything that a report shows. */
export class Secrets {
  readonly #names = new Map<string, string>();
  #learned = 0;

  /** Adds a secret. `name` replaces it, in angle brackets. Short values are ignored: they could be any text. */
  add(value: unknown, name: string): void {
    if (typeof value === 'string' && value.length >= 8 && !this.#names.has(value)) {
      this.#names.set(value, `<${name}>`);
    }
  }

  /** Adds the secrets of a parsed body, a form, or the query of a callback. */
  learn(fields: unknown): void {
    if (typeof fields !== 'object' || fields === null) return;
    for (const field of SECRET_FIELDS) {
      const value: unknown = Reflect.get(fields, field);
      if (typeof value !== 'string' || this.#names.has(value)) continue;
      this.#learned += 1;
      this.add(value, `${field} ${this.#learned}`);
    }
  }

  /** Returns the text without secrets, also where they are percent-encoded. */
  mask(text: string): string {
    let masked = text;
    for (const [value, name] of this.#names) {
      masked = masked.replaceAll(value, name).replaceAll(encodeURIComponent(value), name);
    }
    return masked;
  }
}
