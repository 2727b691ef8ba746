/** A fetch whose first request arrives and whose first answer does not. */
export function loseFirstAnswer(): typeof fetch {
  let isFirst = true;
  return async (...request) => {
    const response = await fetch(...request);
    if (!isFirst) return response;
    isFirst = false;
    await response.arrayBuffer();
    throw new TypeError('fetch failed');
  };
}
