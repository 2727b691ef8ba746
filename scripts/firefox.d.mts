/** What Playwright has to know to start the Firefox at this path. */
export declare function firefoxOptions(path: string): { executablePath: string; channel?: string };
