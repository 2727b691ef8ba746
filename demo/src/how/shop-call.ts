/** One call or webhook delivery, as the drawer shows it. It contains no token, code or secret. */
export interface ShopCall {
  /** Differs between all entries. A later attempt of the same delivery has another one. */
  readonly key: string;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /** `in`: the service called the shop. `out`: the shop or its page called the service. */
  readonly direction: 'in' | 'out';
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** Null without a response. */
  readonly status: number | null;
  /** Explanation in one sentence. */
  readonly sentence: string;
  /** URL of the entry in the sandbox's console. */
  readonly href: string;
}
