export function filesThatName(root: string, globs: string[], id: string): string[];
