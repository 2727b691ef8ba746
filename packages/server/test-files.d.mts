export declare const ENGINE_INDEPENDENT: readonly string[];
export declare const ENGINE_MATTERS: readonly string[];
