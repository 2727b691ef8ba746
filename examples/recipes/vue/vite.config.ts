import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  // Without this option, Vue treats these tags as Vue components.
  plugins: [
    vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('latchkey-') } } }),
  ],
  // The backend of the recipes. Without `{ target }`, Vite would change the Host, which the kit compares with `appUrl`.
  server: { proxy: { '/auth': { target: 'http://127.0.0.1:4405' } } },
});
