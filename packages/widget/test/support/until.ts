/** A limit for what never comes, which no slow machine may meet. */
const LIMIT_MS = 90_000;

/** Waits for something to hold; says what it was when it never does. */
export async function until<Value>(what: string, look: () => Value): Promise<NonNullable<Value>> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const value = look();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}.`);
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
