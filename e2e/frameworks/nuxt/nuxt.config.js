export default {
  vue: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('latchkey-') } },
};
