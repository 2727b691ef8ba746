import '../../src/define.js';
import '../../src/plans.js';

document.documentElement.dataset.ready = '';
