import type { Reading } from './reading.js';
import { SECOND_API_KEY } from './second-api-key.js';
import { SECOND_IDENTITY } from './second-ids.js';
import { SECOND_OAUTH } from './second-oauth.js';
import { SECOND_RESPONSES } from './second-responses.js';
import { SECOND_WEBHOOKS } from './second-webhooks.js';

/** A reading that the specification permits as well, and that differs from the first one wherever it can. */
export const SECOND_READING: Reading = {
  ...SECOND_IDENTITY,
  ...SECOND_OAUTH,
  ...SECOND_API_KEY,
  ...SECOND_RESPONSES,
  ...SECOND_WEBHOOKS,
};
