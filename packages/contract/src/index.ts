export { PATHS } from './paths.js';
export type { Requirement, RequirementSide, RequirementSurface } from './requirements/requirement.js';
export { REQUIREMENTS, type RequirementId } from './requirements.js';
