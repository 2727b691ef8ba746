import type { NextFunction } from 'express';
import { forbidCaching } from '../http/json-error.js';
import type { VisitorExchange } from '../session/visitor.js';
import { type Check, catchLatchkeyError, type GateResult, type Rejection } from './checks.js';
import { type RejectionContext, sendRejection } from './send-rejection.js';

export interface GateDefinition extends RejectionContext {
  check(exchange: VisitorExchange): Check;
}

/** Runs a gate: passes allowed requests on and responds to all others. */
export function runGate(gate: GateDefinition, exchange: VisitorExchange, next: NextFunction): unknown {
  forbidCaching(exchange.response);
  const result = gate.check(exchange);
  if (result instanceof Promise) return result.then((settled) => apply(gate, exchange, { settled, next }));
  return apply(gate, exchange, { settled: result, next });
}

function apply(
  gate: GateDefinition,
  exchange: VisitorExchange,
  { settled, next }: { settled: GateResult; next: NextFunction },
): unknown {
  switch (settled.kind) {
    case 'allowed':
      return next();
    case 'closed':
      return undefined;
    default:
      return reject(gate, exchange, settled);
  }
}

/** Sends a rejection. A custom page or teaser can use the session, so its errors are converted as those of a check. */
async function reject(gate: GateDefinition, exchange: VisitorExchange, rejection: Rejection): Promise<void> {
  const result = await catchLatchkeyError(exchange.visitor.session, async () => {
    await sendRejection(gate, exchange, rejection);
    return { kind: 'closed' };
  });
  if (result.kind !== 'closed' && result.kind !== 'allowed') await sendRejection(gate, exchange, result);
}
