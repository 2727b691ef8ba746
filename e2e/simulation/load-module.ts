import { createRequire } from 'node:module';
import process from 'node:process';
import { build, type Plugin } from 'vite';

/** Bundled source of a module, whose global names a simulation replaces. */
export interface BundledModule {
  readonly code: string;
  /** Names that the bundle looks up in its environment first. */
  readonly names: readonly string[];
}

/** A change of the code under test, which the simulation must find. */
export interface Mutation {
  /** Text that occurs once in the bundle. */
  find: string;
  replace: string;
}

const require = createRequire(import.meta.url);

/** Serves `node:timers/promises` from the environment, so that a module pauses in simulated time. */
const SIMULATED_PAUSE: Plugin = {
  name: 'simulated-pause',
  enforce: 'pre',
  resolveId: (id) => (id === 'node:timers/promises' ? '\0simulated-pause' : undefined),
  load: (id) =>
    id === '\0simulated-pause'
      ? 'export const setTimeout = simulatedPause; export const setImmediate = simulatedPause;'
      : undefined,
};

/**
 * Bundles a module with its dependencies into one function of the global names that it uses. Each simulated page and process
 * evaluates it with its own clock, storage, locks, channels and network.
 */
export async function bundleModule(
  entry: string,
  { names, external = [] }: { names: readonly string[]; external?: readonly string[] },
): Promise<BundledModule> {
  const { NODE_ENV } = process.env;
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [SIMULATED_PAUSE],
    ssr: { noExternal: true, external: [...external] },
    build: {
      write: false,
      ssr: entry,
      minify: false,
      target: 'esnext',
      rollupOptions: { output: { format: 'cjs', exports: 'named', codeSplitting: false } },
    },
  });
  // Vite sets it, and the kit rejects stores in memory in production.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  const [result] = Array.isArray(output) ? output : [output];
  if (result === undefined || !('output' in result)) throw new Error(`${entry} was not bundled.`);
  const [chunk, ...others] = result.output.filter((one) => one.type === 'chunk');
  if (chunk === undefined || others.length > 0)
    throw new Error(`${entry} has ${others.length + 1} chunks, not one.`);
  return { code: chunk.code, names };
}

/**
 * Applies a mutation to a bundle.
 * @throws Error if its text does not occur exactly once.
 */
export function mutate(module: BundledModule, { find, replace }: Mutation): BundledModule {
  const parts = module.code.split(find);
  if (parts.length !== 2)
    throw new Error(`The bundle contains "${find}" ${parts.length - 1} times, not once.`);
  return { ...module, code: parts.join(replace) };
}

/** Compiles a bundle. Each call of the result evaluates the module again. */
export function compileModule<Exports>({
  code,
  names,
}: BundledModule): (environment: Readonly<Record<string, unknown>>) => Exports {
  const compiled = new Function('require', 'module', 'exports', ...names, code);
  return (environment) => {
    const module = { exports: {} as Exports };
    compiled(require, module, module.exports, ...names.map((name) => environment[name]));
    return module.exports;
  };
}
