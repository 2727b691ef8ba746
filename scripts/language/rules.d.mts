export interface Violation {
  file: string;
  line: number;
  rule: string;
  message: string;
}
export function checkLanguage(source: import('../source-files.mjs').ParsedSource): Violation[];
