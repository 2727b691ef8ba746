export { PATHS } from './paths.js';
