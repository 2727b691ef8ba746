import { onTestFinished } from 'vitest';
import {
  type FakeServiceOptions,
  type RunningFakeService,
  startFakeService,
} from '../../src/scripted-service.js';

/** Starts a service that ends with the test. */
export async function listening(options: FakeServiceOptions = {}): Promise<RunningFakeService> {
  const service = await startFakeService(options);
  onTestFinished(service.close);
  return service;
}
