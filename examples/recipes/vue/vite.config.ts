import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  // Without this option, Vue treats these tags as Vue components.
  plugins: [
    vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('latchkey-') } } }),
  ],
});
