export function fetchAsHost(
  address: string,
  origin: string,
  path: string,
  init?: RequestInit,
): Promise<Response>;
