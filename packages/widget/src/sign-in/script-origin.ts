let origin: string | undefined;

/** Returns the origin of the script tag. `undefined` in a bundle. */
export function scriptOrigin(): string | undefined {
  return origin;
}

/** Sets the origin. The script tag calls it before it defines the elements. */
export function setScriptOrigin(value: string): void {
  origin = value;
}
