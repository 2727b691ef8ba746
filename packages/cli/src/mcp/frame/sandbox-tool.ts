import type * as z from 'zod';
import type { SandboxAccess } from './sandbox-access.js';

/** Effect of a tool on the sandbox. `deletes` means that data are lost. */
export type ToolEffect = 'reads' | 'changes' | 'deletes';

export interface SandboxTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  /** Purpose of the tool, for the assistant. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly effect: ToolEffect;
  /** Next step if an id is unknown, as a sentence. */
  readonly ifUnknown?: string;
  /** Text in place of the result as JSON. */
  text?(result: z.input<Output>): string;
  /** @throws ControlFailure */
  run(input: z.output<Input>, sandbox: SandboxAccess): Promise<z.input<Output>>;
}

/** Describes a tool whose function receives the parsed input. */
export function sandboxTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: SandboxTool<Input, Output>,
): SandboxTool {
  return tool as unknown as SandboxTool;
}
