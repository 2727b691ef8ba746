/** A Redis without persistence. */
export interface TemporaryRedis {
  url: string;
  port: number;
  stop(): Promise<void>;
}
/** Returns the path of a Redis server. Installs one if there is none. */
export declare function ensureRedisServer(): Promise<string>;
/** Starts a Redis on a port of the loopback interface, by default a free one. It ends with this process at the latest. */
export declare function startRedis(options?: { port?: number }): Promise<TemporaryRedis>;
