export declare const ENGINE_INDEPENDENT: readonly string[];
export declare const LONG_ON_POSTGRES: readonly string[];
