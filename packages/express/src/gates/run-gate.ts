import type { NextFunction } from 'express';
import { forbidCaching } from '../http/json-error.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import type { Check } from './checks.js';
import type { GateResult } from './gate-result.js';
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
      return sendRejection(gate, exchange, settled);
  }
}
