import type { Request, Response } from 'express';
import type { Kit } from '../kit.js';
import type { Visit } from '../visit.js';

/** What a route of the kit works on. */
export interface RouteContext {
  kit: Kit;
  visit: Visit;
  request: Request;
  response: Response;
}

/** One of the kit's own routes. What it throws goes to Express. */
export type KitRoute = (context: RouteContext) => Promise<void>;
