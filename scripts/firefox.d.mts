/** Returns Playwright's launch options for the Firefox at this path. */
export declare function firefoxOptions(path: string): { executablePath: string; channel?: string };
