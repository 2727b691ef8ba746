/** Client of the package `redis` (node-redis 4 to 6): single, pooled or cluster. */
export interface NodeRedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** Client of the package `ioredis` or `iovalkey`. */
export interface IoRedisScripts {
  /** Distinguishes this client from node-redis. */
  call(command: string, ...parameters: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** Runs a script on one key. */
export function evalScript(
  client: NodeRedisScripts | IoRedisScripts,
  script: string,
  { key, values }: { key: string; values: string[] },
): Promise<unknown> {
  return 'call' in client
    ? client.eval(script, 1, key, ...values)
    : client.eval(script, { keys: [key], arguments: values });
}
