/** Waits for something to hold; says what it was when it never does. */
export async function until<Value>(what: string, look: () => Value): Promise<NonNullable<Value>> {
  const end = performance.now() + 15_000;
  for (;;) {
    const value = look();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}.`);
    await pause();
  }
}

/** Lets everything that is already under way go on, also what waits for a lock: those are given by another process. */
export async function nextTask(): Promise<void> {
  await pause();
  await navigator.locks.query();
  await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
