/** Finds or installs a program of the operating system. Returns its path, or throws if none starts. */
export function ensureProgram(program: {
  title: string;
  names: readonly string[];
  debianPackage: string;
  variable: string;
  versionArguments?: readonly string[];
}): Promise<string>;
