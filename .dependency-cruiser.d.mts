declare const configuration: {
  forbidden: (import('dependency-cruiser').IForbiddenRuleType & { name: string })[];
  options: import('dependency-cruiser').ICruiseOptions;
};
export default configuration;
