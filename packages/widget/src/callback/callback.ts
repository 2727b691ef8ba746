/** The callback page's script, served at `{baseUrl}/widget/callback.js`. */
import { handOver } from './hand-over.js';

void handOver(window);
