import * as z from 'zod';
import { DRIVER_ACTIONS, type Driver } from './driver.js';

const call = z.object({ action: z.enum(DRIVER_ACTIONS), input: z.looseObject({}) });

/** Answers one line of the protocol of `commandDriver` with the result of a driver, or with its error. */
export async function runDriverLine(driver: Driver, line: string): Promise<string> {
  try {
    const { action, input } = call.parse(JSON.parse(line));
    // The caller is the program that starts this one, with the same version of the inputs.
    return JSON.stringify(await driver.run(action, input as never));
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
  }
}
