// Keeps the output of commands that run beside another one, so that the lines of both do not mix.

/**
 * Returns a function that prints text. It keeps the text until a promise resolves.
 * @param {Promise<unknown>} until
 * @returns {(text: string) => void}
 */
export function holdOutput(until) {
  let held = [];
  until.then(() => {
    process.stdout.write(held.join(''));
    held = undefined;
  });
  return (text) => {
    if (held) held.push(text);
    else process.stdout.write(text);
  };
}
