export declare const ENGINE_INDEPENDENT: readonly string[];
