import { apiKeyRequirements } from './requirements/api-key-requirements.js';
import { generalRequirements } from './requirements/general-requirements.js';
import { signInRequirements } from './requirements/sign-in-requirements.js';
import { webhookRequirements } from './requirements/webhook-requirements.js';

/** Every rule of the spec, one row each. Tests cite the ids; `requirements-coverage.test.ts` lists the uncited. */
export const REQUIREMENTS = [
  ...generalRequirements,
  ...signInRequirements,
  ...apiKeyRequirements,
  ...webhookRequirements,
];

/** The id of one rule of the spec. */
export type RequirementId = (typeof REQUIREMENTS)[number]['id'];
