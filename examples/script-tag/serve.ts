// Any static host can serve this page. This server replaces the service URL and the client id by environment variables.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT = '4403', LATCHKEY_SERVICE_URL, LATCHKEY_CLIENT_ID } = process.env;

let page = readFileSync(new URL('index.html', import.meta.url), 'utf8');
if (LATCHKEY_SERVICE_URL) page = page.replaceAll('http://127.0.0.1:4400', LATCHKEY_SERVICE_URL);
if (LATCHKEY_CLIENT_ID) page = page.replaceAll(/oac_[0-9a-f]{24}/g, LATCHKEY_CLIENT_ID);

createServer((request, response) => {
  const found = request.url === '/';
  response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  response.end(found ? page : 'Not found');
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
