/** Where WebKitGTK's three programs are, without installing any; `undefined` when one is missing. */
export declare function webKitPrograms(): WebKitPrograms | undefined;

/** Paths of programs. */
export interface WebKitPrograms {
  /** MiniBrowser. */
  browser: string;
  /** WebKitWebDriver. */
  driver: string;
  /** Xvfb. */
  display: string;
}
