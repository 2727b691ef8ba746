import { index, route } from '@react-router/dev/routes';

export default [index('bundle.jsx'), route('script', 'script.jsx')];
