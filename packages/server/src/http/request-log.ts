import type { RequestHandler } from 'express';
import type { Dependencies } from '../dependencies.js';

/** Logs each answer: method, path, status. Never the query, the headers or the body: codes and tokens travel there. */
export function requestLog({ logger }: Dependencies): RequestHandler {
  return (request, response, next) => {
    const { method, path, ip } = request;
    response.on('finish', () => {
      logger.info({ method, path, status: response.statusCode, ip }, 'request answered');
    });
    next();
  };
}
