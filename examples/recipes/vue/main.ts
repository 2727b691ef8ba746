import { createApp } from 'vue';
import RecipePage from './recipe-page.vue';

createApp(RecipePage).mount('#root');
