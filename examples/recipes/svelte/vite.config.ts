import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  // The backend of the recipes. Without `{ target }`, Vite would change the Host, which the kit compares with `appUrl`.
  server: { proxy: { '/auth': { target: 'http://127.0.0.1:4405' } } },
});
