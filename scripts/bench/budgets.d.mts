/** Limit of a median. */
export type Budget = { readonly max: number } | { readonly min: number };

export interface Figure {
  readonly what: string;
  readonly name: string;
  readonly budget?: Budget;
  readonly digits?: number;
  readonly why?: string;
}

export interface Benchmark {
  readonly file: string;
  readonly flags?: readonly string[];
  readonly quickFlags?: readonly string[];
  readonly figures: readonly Figure[];
}

export const BENCHMARKS: Readonly<Record<string, Benchmark>>;
export const OTHER_BENCHMARKS: readonly string[];
