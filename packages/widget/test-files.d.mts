export declare const ENGINE_INDEPENDENT: readonly string[];
export declare const RULES: readonly string[];
