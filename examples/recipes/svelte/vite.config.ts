import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  // The backend of the recipes. In production, one host serves the pages and /auth.
  server: { proxy: { '/auth': 'http://127.0.0.1:4405' } },
});
