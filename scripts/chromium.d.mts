/** Flags for a browser that runs as root, without a GPU, and asks nothing of the internet. */
export declare const CHROMIUM_ARGS: string[];
/** Path of a Chromium that was started once to be sure; installs one when there is none. */
export declare function ensureChromium(): Promise<string>;
