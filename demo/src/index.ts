export { PortInUseError } from './local-server.js';
export { type DemoOptions, type RunningDemo, startDemo } from './start-demo.js';
