/** Flags for a browser that runs as root and without a GPU, and sends no requests of its own. */
export declare const CHROMIUM_ARGS: string[];
/** Returns the path of a Chromium that started. Installs one if there is none. */
export declare function ensureChromium(): Promise<string>;
