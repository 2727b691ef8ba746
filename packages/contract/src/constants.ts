// Browser code imports this entry, so none of these modules may import zod.

export * from './names/service-names.js';
export * from './shapes/limits.js';
export * from './shapes/network-failure.js';
export * from './shapes/timestamp.js';
export * from './shapes/values.js';
export * from './shapes/without-zod.js';
