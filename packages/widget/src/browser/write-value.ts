import { readValue, type StorageArea, storageOf } from './tabs.js';

/**
 * Stores a value as JSON, or removes the stored value if it's `undefined`.
 * @returns false if the storage is full or the browser denies access.
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

/** Removes a value from this tab's sessionStorage and returns it. */
export function takeValue(name: string): unknown {
  const value = readValue('session', name);
  writeValue('session', name, undefined);
  return value;
}
