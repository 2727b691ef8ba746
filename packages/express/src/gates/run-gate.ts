import type { NextFunction } from 'express';
import { forbidCaching } from '../http/json-error.js';
import type { Visit } from '../session/visitor.js';
import { type Check, catchLatchkeyError, type GateResult, type Rejection } from './checks.js';
import type { GateSettings } from './gate-options.js';
import { sendRejection } from './send-rejection.js';

export interface GateDefinition extends GateSettings {
  check(visit: Visit): Check;
}

/** Runs a gate: passes allowed requests on and responds to all others. */
export function runGate(gate: GateDefinition, visit: Visit, next: NextFunction): unknown {
  forbidCaching(visit.response);
  const result = gate.check(visit);
  if (result instanceof Promise) return result.then((settled) => apply(gate, visit, { settled, next }));
  return apply(gate, visit, { settled: result, next });
}

function apply(
  gate: GateDefinition,
  visit: Visit,
  { settled, next }: { settled: GateResult; next: NextFunction },
): unknown {
  switch (settled.kind) {
    case 'allowed':
      return next();
    case 'closed':
      return undefined;
    default:
      return reject(gate, visit, settled);
  }
}

/** Sends a rejection. A custom page or teaser can use the session, so its errors are converted as those of a check. */
async function reject(gate: GateDefinition, visit: Visit, rejection: Rejection): Promise<void> {
  const result = await catchLatchkeyError(visit.visitor.session, async () => {
    await sendRejection(gate, visit, rejection);
    return { kind: 'closed' };
  });
  if (result.kind !== 'closed' && result.kind !== 'allowed') await sendRejection(gate, visit, result);
}
