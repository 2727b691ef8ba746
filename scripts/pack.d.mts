export function pack(folder: string): Promise<void>;
export function dependByPath(folder: string): Promise<void>;
