/** @returns `custom-elements.json` and `vscode.html-custom-data.json`, by name, as they should stand. */
export declare function describeElements(): Record<string, string>;
