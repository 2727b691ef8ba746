import { defineConfig } from 'vite';

// The backend of the recipes. Without `{ target }`, Vite would change the Host, which the kit compares with `appUrl`.
export default defineConfig({ server: { proxy: { '/auth': { target: 'http://127.0.0.1:4405' } } } });
