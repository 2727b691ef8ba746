/** Script of the callback page, `{baseUrl}/widget/callback.js`. */
import { handOver } from './hand-over.js';

void handOver(window);
