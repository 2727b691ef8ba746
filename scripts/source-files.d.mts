export interface ParsedSource {
  file: string;
  text: string;
}
export function listSourceFiles(folders?: string[], root?: string): string[];
export function parseSource(file: string, text: string): ParsedSource;
export function parseSourceFile(file: string, root?: string): ParsedSource;
