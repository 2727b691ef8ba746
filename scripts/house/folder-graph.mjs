// Measures the arrows between the folders of a package: cycles, and imports that point up in any order of the folders.
import { dirname } from 'node:path';
import { cruise } from 'dependency-cruiser';

/** Above this many folders in one cycle the smallest set of arrows up takes too long to find exactly. */
const EXACT_LIMIT = 20;

/**
 * Reads the imports between the folders of each package's sources.
 * @returns {Promise<Map<string, Map<string, Set<string>>>>} by package: by folder: the folders that it imports
 */
export async function readFolderGraphs(root, packages) {
  const { output } = await cruise(
    packages.map((name) => `packages/${name}/src`),
    {
      baseDir: root,
      parser: 'swc',
      tsPreCompilationDeps: true,
      includeOnly: { path: '^packages/[^/]+/src/' },
      outputType: 'json',
    },
    { extensions: ['.ts', '.tsx', '.js', '.mjs'] },
  );
  const graphs = new Map(packages.map((name) => [name, new Map()]));
  for (const { source, dependencies } of JSON.parse(output).modules) {
    const graph = graphs.get(source.split('/')[1]);
    const folder = dirname(source);
    if (!graph.has(folder)) graph.set(folder, new Set());
    for (const { resolved } of dependencies) {
      const target = dirname(resolved);
      if (target !== folder && resolved.split('/')[1] === source.split('/')[1]) graph.get(folder).add(target);
    }
  }
  return graphs;
}

/** Returns the groups of two or more folders in which each folder reaches each other one. */
export function folderCycles(graph) {
  const reached = new Map([...graph.keys()].map((folder) => [folder, reachableFrom(graph, folder)]));
  const cycles = [];
  const seen = new Set();
  for (const folder of graph.keys()) {
    if (seen.has(folder) || !reached.get(folder).has(folder)) continue;
    const cycle = [...reached.get(folder)].filter((other) => reached.get(other)?.has(folder));
    for (const member of cycle) seen.add(member);
    cycles.push(cycle.sort());
  }
  return cycles;
}

/**
 * Returns the arrows that point up in the best order of the folders: the order in which the fewest do.
 * @returns {[from: string, to: string][]}
 */
export function arrowsUp(graph) {
  return folderCycles(graph).flatMap((cycle) => {
    const order = cycle.length <= EXACT_LIMIT ? bestOrder(graph, cycle) : greedyOrder(graph, cycle);
    const position = new Map(order.map((folder, index) => [folder, index]));
    return cycle.flatMap((from) =>
      [...graph.get(from)].filter((to) => position.get(to) < position.get(from)).map((to) => [from, to]),
    );
  });
}

/** Finds the best order by dynamic programming over the sets of folders that come first. */
function bestOrder(graph, cycle) {
  const size = cycle.length;
  const importsOf = cycle.map((from) =>
    cycle.reduce((mask, to, index) => (graph.get(from).has(to) ? mask | (1 << index) : mask), 0),
  );
  const cost = new Uint16Array(1 << size).fill(0xffff);
  const last = new Uint8Array(1 << size);
  cost[0] = 0;
  for (let placed = 0; placed < 1 << size; placed += 1) {
    for (let next = 0; next < size; next += 1) {
      if (placed & (1 << next)) continue;
      const total = cost[placed] + countBits(importsOf[next] & placed);
      const after = placed | (1 << next);
      if (total >= cost[after]) continue;
      cost[after] = total;
      last[after] = next;
    }
  }
  const order = [];
  for (let placed = (1 << size) - 1; placed !== 0; placed &= ~(1 << last[placed])) {
    order.unshift(cycle[last[placed]]);
  }
  return order;
}

/** Places the folder with the most importing and fewest imported folders first, again and again. */
function greedyOrder(graph, cycle) {
  const left = new Set(cycle);
  const order = [];
  while (left.size > 0) {
    const surplus = (folder) =>
      [...graph.get(folder)].filter((to) => left.has(to)).length -
      [...left].filter((from) => graph.get(from).has(folder)).length;
    const [first] = [...left].sort((a, b) => surplus(b) - surplus(a));
    left.delete(first);
    order.push(first);
  }
  return order;
}

function countBits(mask) {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

function reachableFrom(graph, folder) {
  const reached = new Set();
  const open = [...(graph.get(folder) ?? [])];
  while (open.length > 0) {
    const next = open.pop();
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return reached;
}
