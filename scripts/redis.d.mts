/** A Redis that keeps nothing. */
export interface ThrowAwayRedis {
  url: string;
  port: number;
  stop(): Promise<void>;
}
/** Path of a Redis server; installs one when there is none. */
export declare function ensureRedisServer(): Promise<string>;
/** Starts a Redis on a port of this machine, by default a free one; it ends with this process at the latest. */
export declare function startRedis(options?: { port?: number }): Promise<ThrowAwayRedis>;
