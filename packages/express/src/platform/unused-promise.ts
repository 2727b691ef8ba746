/**
 * True if a function of the app that must be synchronous returned a promise. Its result is not used, so its failure must
 * not end the process.
 */
export function isUnusedPromise(result: unknown): boolean {
  const isThenable =
    typeof result === 'object' && result !== null && typeof Reflect.get(result, 'then') === 'function';
  if (isThenable) Promise.resolve(result).catch(() => {});
  return isThenable;
}
