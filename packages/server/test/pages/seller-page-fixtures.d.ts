import type { Page } from '../../src/web/ui/frame/site.js';
/** Every page of the seller area, with `hostile` in every text that a user writes. */
export declare function everySellerPageWith(hostile: string): Record<string, Page>;
//# sourceMappingURL=seller-page-fixtures.d.ts.map