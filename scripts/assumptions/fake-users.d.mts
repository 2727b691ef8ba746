export function filesWithFake(root: string, globs: readonly string[]): string[];
