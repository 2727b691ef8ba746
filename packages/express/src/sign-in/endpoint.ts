import type { Request, Response } from 'express';
import type { Visitor } from '../session/request/visitor.js';

/** Request to an endpoint or a gate. */
export interface VisitorExchange {
  visitor: Visitor;
  request: Request;
  response: Response;
}

/** Handler of a path below `mountPath`. Its errors go to Express. */
export type Endpoint = (exchange: VisitorExchange) => Promise<void>;
