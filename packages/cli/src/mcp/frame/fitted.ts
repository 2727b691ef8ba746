/** Most characters of a result as JSON. A larger one fills the context of an assistant. */
const RESULT_CHARACTERS_MAX = 40_000;

/** Limits of the parts of a result, tried one after the other. */
const LIMITS = [
  { characters: 16_000, items: 500 },
  { characters: 4_000, items: 100 },
  { characters: 1_000, items: 50 },
  { characters: 300, items: 20 },
  { characters: 100, items: 5 },
];

/** Result of a tool that is small enough to send. */
export interface FittedResult {
  readonly result: Readonly<Record<string, unknown>>;
  /** Sentence about the parts that are missing. Undefined if the result is complete. */
  readonly note?: string;
}

/** Cuts long texts and lists in a result until it is small enough. */
export function fitted(
  result: Readonly<Record<string, unknown>>,
  max: number = RESULT_CHARACTERS_MAX,
): FittedResult {
  const length = JSON.stringify(result).length;
  if (length <= max) return { result };
  for (const limits of LIMITS) {
    const cut = cutValue(result, limits) as Readonly<Record<string, unknown>>;
    if (JSON.stringify(cut).length <= max) return { result: cut, note: noteOf(length) };
  }
  return { result: {}, note: noteOf(length) };
}

function noteOf(length: number): string {
  return `The result had ${length} characters, so long texts and lists in it are cut. Ask for less: a smaller limit, a filter, or one entry.`;
}

function cutValue(value: unknown, limits: { characters: number; items: number }): unknown {
  if (typeof value === 'string') return cutText(value, limits.characters);
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => cutValue(item, limits));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, limits.items)
      .map(([name, part]) => [cutText(name, limits.characters), cutValue(part, limits)]),
  );
}

function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… [${text.length - max} more characters]`;
}
