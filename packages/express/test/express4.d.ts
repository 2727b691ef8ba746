/** Minimal types for Express 4. Its own types conflict with those of Express 5. */
declare module 'express4' {
  interface App {
    (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse): void;
    set(name: string, value: unknown): void;
    use(handler: unknown): void;
    get(path: string, ...handlers: unknown[]): void;
  }
  export default function express4(): App;
}
