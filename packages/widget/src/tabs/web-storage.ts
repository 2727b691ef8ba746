/** The storage of this tab, or the storage that all tabs of the site share. */
export type StorageArea = 'session' | 'local';

/** Returns the storage. Throws if the visitor disabled it. */
function storageOf(area: StorageArea): Storage {
  return area === 'local' ? localStorage : sessionStorage;
}

/**
 * Stores a value as JSON. `undefined` removes the stored value.
 * @returns false if the storage is full, or the browser denies access.
 */
export function writeValue(area: StorageArea, name: string, value: object | undefined): boolean {
  try {
    if (value) storageOf(area).setItem(name, JSON.stringify(value));
    else storageOf(area).removeItem(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns a stored value. `undefined` if there is none, it is malformed, or the browser denies access. */
export function readValue(area: StorageArea, name: string): unknown {
  try {
    return JSON.parse(storageOf(area).getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Removes a value from this tab's storage and returns it. */
export function takeValue(name: string): unknown {
  try {
    const text = sessionStorage.getItem(name) ?? '';
    sessionStorage.removeItem(name);
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}
