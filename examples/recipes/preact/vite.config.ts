import { defineConfig } from 'vite';

// The backend of the recipes. In production, one host serves the pages and /auth.
export default defineConfig({ server: { proxy: { '/auth': 'http://127.0.0.1:4405' } } });
