const LOOPBACK_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for an address of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK_HOST.test(hostname);
}
