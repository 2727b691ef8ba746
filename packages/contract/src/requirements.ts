import { apiKeyRequirements } from './requirements/api-key-requirements.js';
import { generalRequirements } from './requirements/general-requirements.js';
import type { Requirement } from './requirements/requirement.js';
import { signInRequirements } from './requirements/sign-in-requirements.js';
import { webhookRequirements } from './requirements/webhook-requirements.js';

export type { Requirement };

/** Every rule of the spec. Tests cite the ids in square brackets at the end of their names. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...generalRequirements,
  ...signInRequirements,
  ...apiKeyRequirements,
  ...webhookRequirements,
];
