/** Waits for something to hold; says what it was when it never does. */
export async function until<Value>(what: string, look: () => Value): Promise<NonNullable<Value>> {
  const end = performance.now() + 4000;
  for (;;) {
    const value = look();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}.`);
    await nextTask();
  }
}

/** Lets everything that is already under way go on. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
