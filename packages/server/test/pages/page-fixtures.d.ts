import type { Page } from '../../src/web/ui/frame/site.js';
/** 12 June 2026, 14:05 UTC. */
export declare const AFTERNOON: number;
export declare const PUBLIC_CLIENT_ID = "oac_a1b2c3d4e5f60718293a4b5c";
/** Authorization request with characters that are special in HTML and URLs. */
export declare const AUTHORIZATION_QUERY: {
    client_id: string;
    redirect_uri: string;
    scope: string;
    state: string;
};
/** Every page, with `hostile` in every text from a user, a client's owner or an attacker. */
export declare function everyPageWith(hostile: string): Record<string, Page>;
//# sourceMappingURL=page-fixtures.d.ts.map