/** Returns the paths of WebKitGTK's three programs without installing any, or `undefined` if one is missing. */
export declare function webKitPrograms(): WebKitPrograms | undefined;

/** Paths of the programs that a WebKit test needs. */
export interface WebKitPrograms {
  /** Path of MiniBrowser. */
  browser: string;
  /** Path of WebKitWebDriver. */
  driver: string;
  /** Path of Xvfb. */
  display: string;
}
