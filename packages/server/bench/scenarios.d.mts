/** Texts of the requests of one connection, and the check of an answer. */
interface Maker {
  next(): string;
  answered(response: { status: number; body: string }): void;
}

export const SCENARIOS: Readonly<
  Record<string, { makers(count: number, options: { rows: number; chains: string[] }): Maker[] }>
>;
