import type { AreaFrame } from '../../src/web/ui/frame/area-page.js';
import type { Page } from '../../src/web/ui/frame/site.js';
/** Every page of the developer area. Ids and addresses that only the service writes are plain. */
export declare function developerPagesWith(hostile: string, frame: AreaFrame): Record<string, Page>;
//# sourceMappingURL=developer-page-fixtures.d.ts.map